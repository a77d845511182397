// SPDX-License-Identifier: Apache-2.0
#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
#include "ir/core/region.h"
#include "ir/core/verify.h"

// What every program is made of: the module, weights, constants, and lists of values.
namespace phi::ir::builtin_ops {
namespace {

using enforce::Format;

// The types of a list, and of the values that it is made of or split into.
void CheckElements(const Operation& op, Type list, std::span<const Type> values, const char* what, Report* report) {
  const auto vector = list.dyn_cast<VectorType>();
  if (!vector) return;  // which is reported already
  if (vector.elements().size() != values.size()) {
    report->Add(
        op, Format("expected %d %s, as many as %s has, got %d", vector.elements().size(), what, list, values.size()));
    return;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (vector.elements()[i] == values[i]) continue;
    report->Add(op, Format("%s %d: expected %s, got %s", what, i, vector.elements()[i], values[i]));
  }
}

Type OperandType(const Operation& op, size_t i) { return op.operand(i) ? op.operand(i).type() : Type(); }

void VerifyCombine(const Operation& op, Report* report) {
  std::vector<Type> types;
  for (size_t i = 0; i < op.num_operands(); ++i) types.push_back(OperandType(op, i));
  if (op.num_results() == 1) CheckElements(op, op.result(0).type(), types, "operands", report);
}

void VerifySplit(const Operation& op, Report* report) {
  std::vector<Type> types;
  for (size_t i = 0; i < op.num_results(); ++i) types.push_back(op.result(i).type());
  if (op.num_operands() == 1) CheckElements(op, OperandType(op, 0), types, "results", report);
}

void VerifySlice(const Operation& op, Report* report) {
  const auto index = op.attribute<Int32Attribute>("index");
  if (!index || op.num_operands() != 1 || op.num_results() != 1) return;
  const auto list = OperandType(op, 0).dyn_cast<VectorType>();
  if (!list) return;
  const int64_t size = static_cast<int64_t>(list.elements().size());
  if (index.data() < 0 || index.data() >= size) {
    report->Add(op, Format("attribute 'index': expected 0 to %d, got %d", size - 1, index.data()));
  } else if (list.elements()[index.data()] != op.result(0).type()) {
    report->Add(op, Format("result 0: expected %s, got %s", list.elements()[index.data()], op.result(0).type()));
  }
}

// to_tensor and to_vtensor: the same tensor, of the other kind.
template <bool ValueSemantics>
void VerifyConversion(const Operation& op, Report* report) {
  if (op.num_operands() != 1 || op.num_results() != 1 || !op.operand(0)) return;
  const auto from = OperandType(op, 0).dyn_cast<TensorType>(), to = op.result(0).type().dyn_cast<TensorType>();
  if (!from || !to) return;
  TensorTypeKey expected = from.key();
  expected.value_semantics = ValueSemantics;
  if (from.value_semantics() == ValueSemantics || to.key() != expected) {
    report->Add(
        op,
        Format("expected a %s of the operand's type, got %s of %s", ValueSemantics ? "vtensor" : "tensor", to, from));
  }
}

constexpr AttributeInfo Str(const char* name) { return {name, AttributeKind::Str}; }
constexpr AttributeInfo Bool(const char* name, bool value) {
  return {name, AttributeKind::Bool, AttributeKind::Any, Literal::Bool(value)};
}

constexpr InputInfo kX[] = {{"x"}};
constexpr InputInfo kList[] = {{.name = "x", .is_list = true}};
constexpr OutputInfo kOut[] = {{"out"}};
constexpr OutputInfo kListOut[] = {{.name = "out", .is_list = true}};
// The names that a parameter has in the state of the torch model that it comes from; by default its own.
constexpr AttributeInfo kStateNames = {
    .name = "state_names", .kind = AttributeKind::Array, .element = AttributeKind::Str, .optional = true};
constexpr AttributeInfo kParameter[] = {Str("name"),
                                        Bool("is_distributed", false),
                                        Bool("is_parameter", true),
                                        Bool("need_clip", true),
                                        Bool("persistable", true),
                                        Bool("stop_gradient", false),
                                        Bool("trainable", true),
                                        kStateNames};
constexpr AttributeInfo kParameterName[] = {Str("parameter_name")};
constexpr AttributeInfo kOutputName[] = {Str("output_name")};
constexpr AttributeInfo kValue[] = {{"value", AttributeKind::Any}};
constexpr AttributeInfo kIndex[] = {{"index", AttributeKind::Int32}};

constexpr OpRow kOps[] = {
    {.name = "builtin.module", .traits = Trait::SideEffect, .regions = 1},
    {.name = "builtin.parameter", .attributes = kParameter, .outputs = kOut, .traits = Trait::ReadOnly},
    {.name = "builtin.set_parameter", .inputs = kX, .attributes = kParameterName, .traits = Trait::SideEffect},
    {.name = "builtin.shadow_output", .inputs = kX, .attributes = kOutputName, .traits = Trait::SideEffect},
    {.name = "builtin.constant",
     .attributes = kValue,
     .outputs = kOut,
     .traits = Trait::ReadOnly | Trait::ConstantLike},
    {.name = "builtin.combine",
     .outputs = kListOut,
     .traits = Trait::ReadOnly,
     .variadic_operands = true,
     .verify = VerifyCombine},
    {.name = "builtin.split",
     .inputs = kList,
     .traits = Trait::ReadOnly,
     .variadic_results = true,
     .verify = VerifySplit},
    {.name = "builtin.slice",
     .inputs = kList,
     .attributes = kIndex,
     .outputs = kOut,
     .traits = Trait::ReadOnly,
     .verify = VerifySlice},
    {.name = "builtin.undef", .outputs = kOut, .traits = Trait::ReadOnly},
    {.name = "builtin.to_tensor",
     .inputs = kX,
     .outputs = kOut,
     .traits = Trait::ReadOnly,
     .verify = VerifyConversion<false>},
    {.name = "builtin.to_vtensor",
     .inputs = kX,
     .outputs = kOut,
     .traits = Trait::ReadOnly,
     .verify = VerifyConversion<true>},
};

[[maybe_unused]] const bool kRegistered = RegisterOps("builtin", kOps);

}  // namespace
}  // namespace phi::ir::builtin_ops
