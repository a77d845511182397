// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/core/infer_type.h"
#include "ir/pass/rewrite/matcher.h"

// The conditions and the numbers of a rewrite.
namespace phi::ir {

namespace {

using Kind = Constant::Kind;
constexpr int kMostSteps = 256;  // operations that are looked at between a value and the weights that it follows from

class Evaluator {
 public:
  Evaluator(const Match& match, const MatchedProgram& program) : match_(match), program_(program) {}

  Constant Run(const Term& term) const {
    switch (term.kind) {
      case TermKind::None:
        return OfKind(Kind::None);
      case TermKind::Bool:
        return Constant::Of(term.integer != 0);
      case TermKind::Int:
        return Constant::Of(Dim(term.integer));
      case TermKind::Real:
        return Constant::Of(term.real);
      case TermKind::Text:
        return Constant::Of(term.text);
      case TermKind::Name: {
        const auto found = match_.names.find(term.text);
        const bool is_constant = found != match_.names.end() && found->second.kind == Binding::Kind::Constant;
        return is_constant ? found->second.constant : Constant();
      }
      case TermKind::List:
        return Constant::Of(All(term));
      case TermKind::Field: {
        const auto found = match_.names.find(term.children.at(0).text);
        const bool is_rest = found != match_.names.end() && found->second.kind == Binding::Kind::Rest;
        return is_rest ? ConstantOf(*found->second.op, term.text) : Constant();
      }
      case TermKind::Operator:
        return OfOperator(term.text, All(term));
      case TermKind::Call:
        return OfCall(term);
      default:
        return {};
    }
  }

 private:
  static Constant OfKind(Kind kind) {
    Constant constant;
    constant.kind = kind;
    return constant;
  }

  std::vector<Constant> All(const Term& term) const {
    std::vector<Constant> values;
    for (const Term& child : term.children) values.push_back(Run(child));
    return values;
  }

  Constant OfOperator(const std::string& op, const std::vector<Constant>& x) const {
    const auto is = [](const Constant& value, bool wanted) {
      return value.kind == Kind::Bool && value.boolean == wanted;
    };
    if (op == "and" || op == "or") {  // what decides need not wait for what is unknown
      const bool decides = op == "or";
      if (std::ranges::any_of(x, [&](const Constant& value) { return is(value, decides); })) {
        return Constant::Of(decides);
      }
      const bool known = std::ranges::all_of(x, [&](const Constant& value) { return is(value, !decides); });
      return known ? Constant::Of(!decides) : Constant();
    }
    if (!std::ranges::all_of(x, &Constant::is_known)) return {};
    if (op == "not") return x[0].kind == Kind::Bool ? Constant::Of(!x[0].boolean) : Constant();
    if (op == "==") return Equal(x[0], x[1]);
    if (op == "!=") {
      const Constant same = Equal(x[0], x[1]);
      return same.is_known() ? Constant::Of(!same.boolean) : same;
    }
    if (op == "in") {
      const auto& items = x[1].items;
      return Constant::Of(std::ranges::any_of(items, [&](const Constant& one) { return Equal(x[0], one).is_true(); }));
    }
    if (x.size() == 2 && x[0].kind == Kind::Size && x[1].kind == Kind::Size) {
      IrContext* context = program_.program->context();
      if (op == "+") return Constant::Of(Dim::Add(context, x[0].size, x[1].size));
      if (op == "*") return Constant::Of(Dim::Multiply(context, x[0].size, x[1].size));
      if (op == "-") return Constant::Of(Dim::Add(context, x[0].size, Dim::Multiply(context, Dim(-1), x[1].size)));
      if (op == "%" || op == "//") {
        if (x[1].size == Dim(0) || x[1].size == Dim(-1)) return {};
        const DimFunction function = op == "%" ? DimFunction::Mod : DimFunction::FloorDiv;
        return Constant::Of(Dim::Function(context, function, x[0].size, x[1].size));
      }
    }
    if (!std::ranges::all_of(x, &Constant::is_number)) return {};
    return OfNumbers(op, x[0].number(), x.size() > 1 ? x[1].number() : 0, x.size());
  }

  static Constant OfNumbers(const std::string& op, double a, double b, size_t count) {
    if (count == 1) return op == "-" ? Constant::Of(-a) : Constant();
    if (op == "+") return Constant::Of(a + b);
    if (op == "-") return Constant::Of(a - b);
    if (op == "*") return Constant::Of(a * b);
    if (op == "/") return Constant::Of(a / b);
    if (op == "<") return Constant::Of(a < b);
    if (op == "<=") return Constant::Of(a <= b);
    if (op == ">") return Constant::Of(a > b);
    if (op == ">=") return Constant::Of(a >= b);
    return {};
  }

  // The value of a variable; null where it has none.
  Value ValueOf(const Term& term) const {
    const auto found = match_.names.find(term.text);
    const bool is_value = term.kind == TermKind::Name && found != match_.names.end();
    return is_value && found->second.kind == Binding::Kind::Value ? found->second.value : Value();
  }

  // The type, where its sizes are proven.
  static TensorType TypeOf(Value value) {
    if (!value) return {};
    const Operation* op = value.defining_op();
    return op == nullptr || IsProven(*op) ? value.type().dyn_cast<TensorType>() : TensorType();
  }

  static Constant ShapeOf(Value value) {
    const TensorType type = TypeOf(value);
    if (!type) return {};
    std::vector<Constant> sizes;
    for (const Dim& dim : type.dims()) sizes.push_back(Constant::Of(dim));
    return Constant::Of(std::move(sizes));
  }

  Constant OfCall(const Term& term) const {
    const auto& arguments = term.children;
    const auto values = [&](const std::function<bool(Value)>& holds) {
      return Constant::Of(std::ranges::all_of(arguments, [&](const Term& one) { return holds(ValueOf(one)); }));
    };
    if (term.text == "const") return values([&](Value value) { return !value || IsConstant(value, program_); });
    if (term.text == "absent") return values([](Value value) { return !value; });
    if (term.text == "close") {
      const Constant a = Run(arguments[0]), b = Run(arguments[1]);
      if (!a.is_number() || !b.is_number()) return {};
      return Constant::Of(std::abs(a.number() - b.number()) <= 1e-5 * std::abs(b.number()));
    }
    const Value x = ValueOf(arguments.at(0));
    const TensorType type = TypeOf(x);
    if (term.text == "dtype") {
      const auto tensor = x ? x.type().dyn_cast<TensorType>() : TensorType();
      return tensor ? Constant::Of(std::string(DataTypeName(tensor.dtype()))) : Constant();
    }
    if (term.text == "number") return NumberOf(x);
    if (term.text == "rank") {  // which no guess of a size changes
      const auto tensor = x ? x.type().dyn_cast<TensorType>() : TensorType();
      return tensor ? Constant::Of(Dim(static_cast<int64_t>(tensor.dims().size()))) : Constant();
    }
    if (!type) return {};
    const int64_t rank = static_cast<int64_t>(type.dims().size());
    if (term.text == "shape") return ShapeOf(x);
    if (term.text == "dim") {
      const Constant at = Run(arguments.at(1));
      if (at.kind != Kind::Size || !at.size.is_number()) return {};
      const int64_t i = at.size.number() < 0 ? at.size.number() + rank : at.size.number();
      return i >= 0 && i < rank ? Constant::Of(type.dims()[i]) : Constant();
    }
    if (term.text == "numel") {
      Dim product(1);
      for (const Dim& dim : type.dims()) product = Dim::Multiply(program_.program->context(), product, dim);
      return Constant::Of(product);
    }
    if (term.text == "same_shape") {
      const Constant first = ShapeOf(x);
      return values([&](Value value) { return Equal(first, ShapeOf(value)).is_true(); });
    }
    return {};
  }

  // The number that `pd_op.full` fills a tensor with.
  static Constant NumberOf(Value value) {
    const Operation* made = value ? value.defining_op() : nullptr;
    return made != nullptr && made->name() == "pd_op.full" ? ConstantOf(*made, "value") : Constant();
  }

  const Match& match_;
  const MatchedProgram& program_;
};

bool IsConstantBelow(Value value, const MatchedProgram& program, int* steps) {
  const Operation* op = value.defining_op();
  if (op == nullptr || --*steps < 0 || program.written->Contains(value)) return false;
  if (op->name() == "builtin.parameter") {
    const auto name = op->attribute<StrAttribute>("name");
    const Parameter* weight = name ? program.program->weights()->Find(name.data()) : nullptr;
    return weight != nullptr && !weight->is_mutable;
  }
  if (!op->info().HasTrait(Trait::ReadOnly) || !op->regions().empty() || !HasNoEffect(*op)) return false;
  return std::ranges::all_of(op->operands(), [&](const OpOperand& operand) {
    return !operand.value() || IsConstantBelow(operand.value(), program, steps);
  });
}

}  // namespace

Constant Evaluate(const Term& term, const Match& match, const MatchedProgram& program) {
  return Evaluator(match, program).Run(term);
}

bool IsConstant(Value value, const MatchedProgram& program) {
  int steps = kMostSteps;
  return IsConstantBelow(value, program, &steps);
}

}  // namespace phi::ir
