// SPDX-License-Identifier: Apache-2.0
#include "ir/core/dialect.h"

// Operators of torch that have no equivalent: `torch.call {target = "aten.foo.default"}`.
namespace phi::ir::torch_ops {
namespace {

constexpr AttributeInfo kTarget[] = {{"target", AttributeKind::Str}};
constexpr OpRow kOps[] = {
    {.name = "torch.call",
     .attributes = kTarget,
     .traits = Trait::SideEffect,
     .variadic_operands = true,
     .variadic_results = true},
};

[[maybe_unused]] const bool kRegistered = RegisterOps("torch", kOps);

}  // namespace
}  // namespace phi::ir::torch_ops
