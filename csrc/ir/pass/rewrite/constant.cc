// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/rewrite/constant.h"

#include <deque>

#include "ir/core/builtin_attribute.h"
#include "ir/core/ir_context.h"
#include "ir/pass/constants.h"

namespace phi::ir {

namespace {

using Kind = Constant::Kind;

// A literal that shares the texts of a constant, and lists that `lists` keeps.
Literal LiteralOf(const Constant& value, std::deque<std::vector<Literal>>* lists) {
  switch (value.kind) {
    case Kind::Bool:
      return Literal::Bool(value.boolean);
    case Kind::Size:
      if (value.size.is_number()) return Literal::Int(value.size.number());
      return {};
    case Kind::Real:
      return Literal::Float(value.real);
    case Kind::Text:
      return Literal::Str(value.text.c_str());
    case Kind::List: {
      std::vector<Literal> items;
      for (const Constant& item : value.items) items.push_back(LiteralOf(item, lists));
      lists->push_back(std::move(items));
      return Literal::List(lists->back());
    }
    default:
      return {};
  }
}

}  // namespace

Constant Constant::Of(bool value) {
  Constant constant;
  constant.kind = Kind::Bool, constant.boolean = value;
  return constant;
}

Constant Constant::Of(Dim value) {
  Constant constant;
  if (!value.is_unknown()) constant.kind = Kind::Size, constant.size = value;
  return constant;
}

Constant Constant::Of(double value) {
  Constant constant;
  constant.kind = Kind::Real, constant.real = value;
  return constant;
}

Constant Constant::Of(std::string value) {
  Constant constant;
  constant.kind = Kind::Text, constant.text = std::move(value);
  return constant;
}

Constant Constant::Of(std::vector<Constant> values) {
  Constant constant;
  constant.kind = Kind::List, constant.items = std::move(values);
  return constant;
}

Constant ConstantOf(Attribute attribute) {
  if (!attribute) return {};
  if (const auto value = attribute.dyn_cast<BoolAttribute>()) return Constant::Of(value.data());
  if (const auto value = attribute.dyn_cast<Int32Attribute>()) return Constant::Of(Dim(value.data()));
  if (const auto value = attribute.dyn_cast<Int64Attribute>()) return Constant::Of(Dim(value.data()));
  if (const auto value = attribute.dyn_cast<FloatAttribute>()) return Constant::Of(static_cast<double>(value.data()));
  if (const auto value = attribute.dyn_cast<DoubleAttribute>()) return Constant::Of(value.data());
  if (const auto value = attribute.dyn_cast<StrAttribute>()) return Constant::Of(value.data());
  if (const auto value = attribute.dyn_cast<DataTypeAttribute>())
    return Constant::Of(std::string(DataTypeName(value.data())));
  std::vector<Constant> items;
  if (const auto list = attribute.dyn_cast<IntArrayAttribute>()) {
    for (const int64_t item : list.data()) items.push_back(Constant::Of(Dim(item)));
    return Constant::Of(std::move(items));
  }
  if (const auto list = attribute.dyn_cast<ArrayAttribute>()) {
    for (const Attribute item : list.items()) items.push_back(ConstantOf(item));
    return Constant::Of(std::move(items));
  }
  const auto scalar = attribute.dyn_cast<ScalarAttribute>();
  if (!scalar || IsComplexType(scalar.dtype())) return {};
  if (scalar.dtype() == DataType::BOOL) return Constant::Of(scalar.integer() != 0);
  return scalar.is_integer() ? Constant::Of(Dim(scalar.integer())) : Constant::Of(scalar.parts().real);
}

Constant ConstantOf(const Operation& op, const std::string& attribute) {
  const int input = op.info().InputIndex(attribute);
  if (input < 0 || static_cast<size_t>(input) >= op.num_operands() || !op.operand(input)) {
    return ConstantOf(op.attribute(attribute));
  }
  if (const auto number = ConstantNumber(op, attribute)) return Constant::Of(*number);
  const auto numbers = ConstantInts(op, attribute.c_str());
  if (!numbers) return {};
  std::vector<Constant> items;
  for (const int64_t item : *numbers) items.push_back(Constant::Of(Dim(item)));
  return Constant::Of(std::move(items));
}

Attribute AttributeOf(IrContext* context, const AttributeInfo& info, const Constant& value) {
  std::deque<std::vector<Literal>> lists;
  Literal literal = LiteralOf(value, &lists);
  const bool takes_integers = info.kind == AttributeKind::Int32 || info.kind == AttributeKind::Int64;
  if (takes_integers && literal.kind == Literal::Kind::Float &&
      literal.real == static_cast<double>(static_cast<int64_t>(literal.real))) {
    literal = Literal::Int(static_cast<int64_t>(literal.real));
  }
  return MakeAttribute(context, info.kind, info.element, literal);
}

Constant Equal(const Constant& a, const Constant& b) {
  if (!a.is_known() || !b.is_known()) return {};
  if (a.kind == Kind::Size && b.kind == Kind::Size) {
    if (a.size == b.size) return Constant::Of(true);
    return a.size.is_number() && b.size.is_number() ? Constant::Of(false) : Constant();
  }
  if (a.is_number() && b.is_number()) return Constant::Of(a.number() == b.number());
  if (a.kind != b.kind) return Constant::Of(false);
  if (a.kind == Kind::Bool) return Constant::Of(a.boolean == b.boolean);
  if (a.kind == Kind::Text) return Constant::Of(a.text == b.text);
  if (a.kind == Kind::None) return Constant::Of(true);
  if (a.items.size() != b.items.size()) return Constant::Of(false);
  bool known = true;
  for (size_t i = 0; i < a.items.size(); ++i) {
    const Constant same = Equal(a.items[i], b.items[i]);
    if (same.is_known() && !same.is_true()) return same;
    known &= same.is_known();
  }
  return known ? Constant::Of(true) : Constant();
}

}  // namespace phi::ir
