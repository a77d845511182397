// SPDX-License-Identifier: Apache-2.0
#include "ir/core/dialect.h"

// The operators of pd_op that yaml/ has no words for: without a result, or with any number of operands. The others are
// in generated tables, those with regions in control_flow.cc.
namespace phi::ir::pd_ops {
namespace {

constexpr AttributeInfo Int(const char* name, int64_t value) {
  return {name, AttributeKind::Int32, AttributeKind::Any, Literal::Int(value)};
}
constexpr AttributeInfo Bool(const char* name) {
  return {name, AttributeKind::Bool, AttributeKind::Any, Literal::Bool(true)};
}

constexpr InputInfo kAssertInputs[] = {{"cond"}, {.name = "data", .is_list = true}};
constexpr AttributeInfo kAssertAttributes[] = {
    {"summarize", AttributeKind::Int64, AttributeKind::Any, Literal::Int(-1)}};
constexpr InputInfo kPrintInputs[] = {{"in"}};
constexpr AttributeInfo kPrintAttributes[] = {
    Int("first_n", -1),
    {"message", AttributeKind::Str},
    Int("summarize", 20),
    Bool("print_tensor_name"),
    Bool("print_tensor_type"),
    Bool("print_tensor_shape"),
    Bool("print_tensor_layout"),
    Bool("print_tensor_lod"),
    {"print_phase", AttributeKind::Str, AttributeKind::Any, Literal::Str("BOTH")},
    Bool("is_forward")};
constexpr InputInfo kMask[] = {{"mask"}};
constexpr OutputInfo kOut[] = {{"out"}};

constexpr OpRow kOps[] = {
    {.name = "pd_op.assert", .inputs = kAssertInputs, .attributes = kAssertAttributes, .traits = Trait::SideEffect},
    {.name = "pd_op.print",
     .inputs = kPrintInputs,
     .attributes = kPrintAttributes,
     .outputs = kOut,
     .traits = Trait::SideEffect},
    {.name = "pd_op.select_input",
     .inputs = kMask,
     .outputs = kOut,
     .traits = Trait::ReadOnly,
     .variadic_operands = true},
};

[[maybe_unused]] const bool kRegistered = RegisterOps("pd_op", kOps);

}  // namespace
}  // namespace phi::ir::pd_ops
