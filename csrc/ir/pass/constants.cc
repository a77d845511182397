// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/constants.h"

#include "ir/core/builtin_attribute.h"
#include "ir/shape/shape_value.h"

namespace phi::ir {

namespace {

// The attribute, or that of the operation which makes the operand in its place; null where neither is a constant.
Attribute NumberOf(const Operation& op, std::string_view attribute) {
  const int input = op.info().InputIndex(attribute);
  if (input < 0 || static_cast<size_t>(input) >= op.num_operands() || !op.operand(input)) {
    return op.attribute(attribute);
  }
  const Operation* made = op.operand(input).defining_op();
  return made != nullptr && made->name() == "pd_op.full" ? made->attribute("value") : Attribute();
}

}  // namespace

std::optional<std::vector<int64_t>> ConstantInts(const Operation& op, const char* attribute) {
  const auto found = ShapeArgumentOf(op, attribute);
  if (!found) return std::nullopt;
  std::vector<int64_t> values;
  for (const Dim& number : *found) {
    if (!number.is_number()) return std::nullopt;
    values.push_back(number.number());
  }
  return values;
}

std::optional<double> ConstantNumber(const Operation& op, std::string_view attribute) {
  const Attribute found = NumberOf(op, attribute);
  if (!found) return std::nullopt;
  if (const auto value = found.dyn_cast<FloatAttribute>()) return value.data();
  if (const auto value = found.dyn_cast<DoubleAttribute>()) return value.data();
  if (const auto value = found.dyn_cast<Int32Attribute>()) return value.data();
  if (const auto value = found.dyn_cast<Int64Attribute>()) return static_cast<double>(value.data());
  const auto scalar = found.dyn_cast<ScalarAttribute>();
  if (!scalar || IsComplexType(scalar.dtype())) return std::nullopt;
  return scalar.is_integer() ? static_cast<double>(scalar.integer()) : scalar.parts().real;
}

std::optional<bool> ConstantBool(const Operation& op, std::string_view attribute) {
  const auto value = op.attribute<BoolAttribute>(attribute);
  return value ? std::optional(value.data()) : std::nullopt;
}

}  // namespace phi::ir
