// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/core/dialect.h"
#include "ir/core/fold.h"
#include "ir/core/infer_type.h"
#include "ir/pass/constants.h"

// Operators of pd_op that give what they take: by their attributes, or by the sizes of their results.
namespace phi::ir {
namespace {

// Whether the result has all the sizes of the operand, of which none is unknown.
bool IsSameType(Value a, Value b) {
  const auto type = a.type().dyn_cast<TensorType>();
  return type && a.type() == b.type() &&
         std::ranges::none_of(type.dims(), [](const Dim& dim) { return dim.is_unknown(); });
}

Value Whole(const Operation& op) { return op.operand(0); }

Value OfSameType(const Operation& op) {
  return IsProven(op) && IsSameType(op.operand(0), op.result(0)) ? op.operand(0) : Value();
}

// To the data type that the operand is known to have.
Value Cast(const Operation& op) {
  const Operation* made = op.operand(0).defining_op();
  return IsProven(op) && (made == nullptr || IsProven(*made)) ? op.operand(0) : Value();
}

Value Dropout(const Operation& op) {
  const auto mode = op.attribute<StrAttribute>("mode");
  const bool keeps = (mode && mode.data() == "upscale_in_train") || ConstantNumber(op, "p") == 0;
  const bool is_test = ConstantBool(op, "is_test").value_or(false);
  return is_test && keeps ? op.operand(0) : Value();
}

Value Scale(const Operation& op) {
  return ConstantNumber(op, "scale") == 1 && ConstantNumber(op, "bias") == 0 ? op.operand(0) : Value();
}

Value Transpose(const Operation& op) {
  const auto perm = ConstantInts(op, "perm");
  if (!perm) return Value();
  const int64_t rank = static_cast<int64_t>(perm->size());
  for (int64_t i = 0; i < rank; ++i) {
    if ((*perm)[i] != i && (*perm)[i] != i - rank) return Value();
  }
  return op.operand(0);
}

// Of a list of one tensor.
Value Concat(const Operation& op) {
  const Operation* list = op.operand(0).defining_op();
  return list != nullptr && list->name() == "builtin.combine" && list->num_operands() == 1 ? list->operand(0) : Value();
}

// Of the same on both sides, which the condition does not make larger.
Value Where(const Operation& op) {
  const bool is_same = op.operand(1) == op.operand(2);
  return is_same && IsProven(op) && IsSameType(op.operand(1), op.result(0)) ? op.operand(1) : Value();
}

struct Row {
  const char* op;
  Fold::Concept model;
};

constexpr Row kRows[] = {
    {"pd_op.assign", {Whole}},
    {"pd_op.cast", {Cast}},
    {"pd_op.concat", {Concat}},
    {"pd_op.dropout", {Dropout}},
    {"pd_op.expand", {OfSameType}},
    {"pd_op.flatten", {OfSameType}},
    {"pd_op.reshape", {OfSameType}},
    {"pd_op.scale", {Scale}},
    {"pd_op.squeeze", {OfSameType}},
    {"pd_op.transpose", {Transpose}},
    {"pd_op.unsqueeze", {OfSameType}},
    {"pd_op.where", {Where}},
};

[[maybe_unused]] const bool kRegistered = [] {
  Dialect& dialect = DialectRegistry::Instance().GetOrCreate("pd_op");
  for (const Row& row : kRows) dialect.AddInterface<Fold>(row.op, &row.model);
  return true;
}();

}  // namespace
}  // namespace phi::ir
