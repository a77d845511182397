// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/constants.h"

#include "ir/core/builtin_attribute.h"

namespace phi::ir {

namespace {

// The attribute, or that of the operation which makes the operand in its place; null where neither is a constant.
Attribute Find(const Operation& op, std::string_view attribute, const char* maker, const char* value) {
  const int input = op.info().InputIndex(attribute);
  if (input < 0 || static_cast<size_t>(input) >= op.num_operands() || !op.operand(input)) {
    return op.attribute(attribute);
  }
  const Operation* made = op.operand(input).defining_op();
  return made != nullptr && made->name() == maker ? made->attribute(value) : Attribute();
}

std::optional<int64_t> IntOf(Attribute attribute) {
  if (const auto value = attribute.dyn_cast<Int64Attribute>()) return value.data();
  if (const auto value = attribute.dyn_cast<Int32Attribute>()) return value.data();
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<int64_t>> ConstantInts(const Operation& op, std::string_view attribute) {
  const Attribute found = Find(op, attribute, "pd_op.full_int_array", "value");
  if (!found) return std::nullopt;
  if (const auto ints = found.dyn_cast<IntArrayAttribute>()) return ints.data();
  const auto array = found.dyn_cast<ArrayAttribute>();
  if (!array) return std::nullopt;
  std::vector<int64_t> values;
  for (const Attribute item : array.items()) {
    const std::optional<int64_t> value = IntOf(item);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<double> ConstantNumber(const Operation& op, std::string_view attribute) {
  const Attribute found = Find(op, attribute, "pd_op.full", "value");
  if (!found) return std::nullopt;
  if (const auto value = found.dyn_cast<FloatAttribute>()) return value.data();
  if (const auto value = found.dyn_cast<DoubleAttribute>()) return value.data();
  if (const std::optional<int64_t> value = IntOf(found)) return static_cast<double>(*value);
  const auto scalar = found.dyn_cast<ScalarAttribute>();
  if (!scalar || IsComplexType(scalar.dtype())) return std::nullopt;
  return scalar.is_integer() ? static_cast<double>(scalar.integer()) : scalar.parts().real;
}

std::optional<bool> ConstantBool(const Operation& op, std::string_view attribute) {
  const auto value = op.attribute<BoolAttribute>(attribute);
  return value ? std::optional(value.data()) : std::nullopt;
}

}  // namespace phi::ir
