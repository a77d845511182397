// SPDX-License-Identifier: Apache-2.0
#include "ir/core/dialect.h"

// What a compiled program runs, to be read: kernels that were chosen, what is copied or cast for them, and parts of
// other tensors' memory. Branches and loops are in control_flow.cc.
namespace phi::ir::kernel_ops {
namespace {

constexpr AttributeInfo Optional(const char* name, AttributeKind kind, AttributeKind element = AttributeKind::Any) {
  return {.name = name, .kind = kind, .element = element, .optional = true};
}

constexpr AttributeInfo kKey = Optional("key", AttributeKind::KernelKey);
constexpr AttributeInfo kMemory = Optional("memory", AttributeKind::Array, AttributeKind::Str);
constexpr AttributeInfo kCall[] = {
    {"op", AttributeKind::Str},
    Optional("kernel", AttributeKind::Str),  // none: the executor runs it itself
    kKey,
    kMemory,
    Optional("tensor_arguments", AttributeKind::Array, AttributeKind::Str),
};
constexpr AttributeInfo kTransfer[] = {kKey, kMemory};
constexpr AttributeInfo kAlias[] = {{"offset", AttributeKind::Int64, AttributeKind::Any, Literal::Int(0)},
                                    Optional("strides", AttributeKind::Array, AttributeKind::Int64)};
constexpr InputInfo kX[] = {{"x"}};
constexpr OutputInfo kOut[] = {{"out"}};

constexpr OpRow kOps[] = {
    {.name = "pd_kernel.call",
     .attributes = kCall,
     .traits = Trait::SideEffect,
     .variadic_operands = true,
     .variadic_results = true},
    {.name = "pd_kernel.transfer", .inputs = kX, .attributes = kTransfer, .outputs = kOut, .traits = Trait::SideEffect},
    {.name = "pd_kernel.alias", .inputs = kX, .attributes = kAlias, .outputs = kOut, .traits = Trait::SideEffect},
};

[[maybe_unused]] const bool kRegistered = RegisterOps("pd_kernel", kOps);

}  // namespace
}  // namespace phi::ir::kernel_ops
