// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/rewrite/replacement.h"

#include <algorithm>
#include <utility>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"

namespace phi::ir {

namespace {

bool IsOperator(const std::string& name) { return name.find('.') != std::string::npos; }

}  // namespace

Replacement::Replacement(const Rewrite& rewrite, const Match& match, const MatchedProgram& program)
    : rewrite_(rewrite),
      match_(match),
      program_(program),
      builder_(program.program, match.ops.front()->block(), match.ops.front()) {}

Replacement::~Replacement() {
  if (taken_) return;
  for (; !ops_.empty(); ops_.pop_back()) ops_.back()->Erase();
}

Value Replacement::Build() {
  const Binding built = Of(rewrite_.to);
  PADDLE_ENFORCE(built.kind == Binding::Kind::Value && built.value,
                 errors::InvalidArgument("`to` of the rewrite '%s' is no tensor", rewrite_.name));
  return built.value;
}

Binding Replacement::Of(const Term& term) {
  if (term.kind == TermKind::Name) {
    const auto known = match_.names.find(term.text);
    if (known != match_.names.end()) return known->second;
    for (const Term& let : rewrite_.let.children) {
      if (let.text != term.text) continue;
      const Binding built = Of(let.children.at(0));
      match_.names[let.text] = built;
      return built;
    }
  }
  if (term.kind == TermKind::None) return Binding::Of(Value());
  if (term.kind == TermKind::Call && IsOperator(term.text)) return Binding::Of(Value(OfCall(term)->result(0)));
  if (term.kind == TermKind::Operator) return OfOperator(term);
  if (term.kind == TermKind::Field && term.children.at(0).kind == TermKind::Call) {
    const Operation* op = OfCall(term.children[0]);
    const auto outputs = op->info().row().outputs;
    const auto found = std::ranges::find(outputs, std::string_view(term.text), &OutputInfo::name);
    return Binding::Of(Value(op->result(static_cast<size_t>(found - outputs.begin()))));
  }
  return Binding::Of(Evaluate(term, match_, program_));
}

Binding Replacement::OfOperator(const Term& term) {
  std::vector<Binding> x;
  for (const Term& child : term.children) x.push_back(Of(child));
  const bool has_value = std::ranges::any_of(x, [](const Binding& one) { return one.kind == Binding::Kind::Value; });
  if (!has_value) return Binding::Of(Evaluate(term, match_, program_));
  const auto is_number = [&](size_t i) { return x[i].kind == Binding::Kind::Constant && x[i].constant.is_number(); };
  const std::string& op = term.text;
  if (x.size() == 1 && op == "-") return Binding::Of(Scaled(x[0].value, -1, 0));
  if (x.size() == 2 && is_number(1)) {
    const double number = x[1].constant.number();
    if (op == "+") return Binding::Of(Scaled(x[0].value, 1, number));
    if (op == "-") return Binding::Of(Scaled(x[0].value, 1, -number));
    if (op == "*") return Binding::Of(Scaled(x[0].value, number, 0));
    if (op == "/") return Binding::Of(Scaled(x[0].value, 1 / number, 0));
  }
  if (x.size() == 2 && is_number(0)) {
    const double number = x[0].constant.number();
    if (op == "+") return Binding::Of(Scaled(x[1].value, 1, number));
    if (op == "-") return Binding::Of(Scaled(x[1].value, -1, number));
    if (op == "*") return Binding::Of(Scaled(x[1].value, number, 0));
  }
  static constexpr std::pair<const char*, const char*> kNames[] = {
      {"+", "pd_op.add"}, {"-", "pd_op.subtract"}, {"*", "pd_op.multiply"}, {"/", "pd_op.divide"}};
  for (const auto& [text, name] : kNames) {
    if (op != text || x.size() != 2 || !x[0].value || !x[1].value) continue;
    attributes_.clear();
    return Binding::Of(Value(Create(name, {x[0].value, x[1].value})->result(0)));
  }
  PADDLE_THROW(errors::InvalidArgument("the rewrite '%s' computes '%s' of what it is not for", rewrite_.name, op));
}

Value Replacement::Scaled(Value x, double scale, double bias) {
  IrContext* context = builder_.context();
  const auto scalar = [&](double value) { return ScalarAttribute::Real(context, DataType::FLOAT64, value); };
  attributes_ = {{"scale", scalar(scale)}, {"bias", scalar(bias)}};
  return Create("pd_op.scale", {x, Value()})->result(0);
}

Operation* Replacement::OfCall(const Term& term) {
  const OpInfo info = builder_.context()->GetOpInfo(term.text);
  PADDLE_ENFORCE(info.is_registered(), errors::Unimplemented("no dialect has the operator '%s'", term.text));
  const OpRow& row = info.row();
  std::vector<Value> operands(row.inputs.size());
  std::vector<std::pair<std::string, Binding>> given;
  const Binding* rest = nullptr;
  size_t tensors = 0;  // which come first, then the attributes
  while (tensors < row.inputs.size() && !row.inputs[tensors].is_mutable_attribute) ++tensors;
  for (size_t i = 0; i < term.children.size(); ++i) {
    const Term& argument = term.children[i];
    if (argument.kind == TermKind::Rest) {
      rest = &match_.names.at(argument.text);
    } else if (argument.kind == TermKind::Keyword) {
      given.emplace_back(argument.text, Of(argument.children.at(0)));
    } else {
      given.emplace_back(i < tensors ? row.inputs[i].name : row.attributes[i - tensors].name, Of(argument));
    }
  }
  attributes_.clear();
  for (const auto& [name, binding] : given) {
    const int attribute = info.AttributeIndex(name);
    if (attribute < 0 || binding.kind == Binding::Kind::Value) {
      operands.at(info.InputIndex(name)) = binding.value;
    } else {
      attributes_.emplace_back(name, AttributeOf(builder_.context(), row.attributes[attribute], binding.constant));
    }
  }
  if (rest != nullptr) CopyRest(*rest, info, &operands);
  return Create(term.text, operands);
}

// What the pattern does not name, and this operator has, and is not given.
void Replacement::CopyRest(const Binding& rest, const OpInfo& info, std::vector<Value>* operands) {
  const auto from = rest.op->info().row().attributes;
  for (size_t i = 0; i < from.size(); ++i) {
    const std::string name = from[i].name;
    const int to = info.AttributeIndex(name);
    const auto is_it = [&](const NamedAttribute& one) { return one.first == name; };
    if (to < 0 || std::ranges::find(rest.named, name) != rest.named.end()) continue;
    if (std::ranges::any_of(attributes_, is_it)) continue;
    const AttributeInfo& wanted = info.row().attributes[to];
    const int operand = rest.op->info().InputIndex(name), input = info.InputIndex(name);
    if (operand >= 0 && rest.op->operand(operand) && input >= 0) {
      operands->at(input) = rest.op->operand(operand);
    } else if (wanted.kind == from[i].kind && wanted.element == from[i].element) {
      attributes_.emplace_back(name, rest.op->attribute(name));
    } else {
      attributes_.emplace_back(name, AttributeOf(builder_.context(), wanted, ConstantOf(*rest.op, name)));
    }
  }
}

Operation* Replacement::Create(const std::string& name, const std::vector<Value>& operands) {
  Operation* op = builder_.Create(name, operands, attributes_);
  op->set_location(match_.ops.front()->location());
  ops_.push_back(op);
  return op;
}

}  // namespace phi::ir
