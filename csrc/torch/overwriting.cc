// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "torch/autograd/utils.h"
#include "torch/keys.h"

namespace phi::torch_bridge {
namespace {

using torch::jit::Stack;

void Refuse(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
  for (const at::IValue& argument : torch::jit::last(*stack, op.schema().arguments().size())) {
    CheckOut(op.schema().name().c_str(), argument);
  }
  const at::AutoDispatchBelowAutograd guard;
  op.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
}

void Count(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
  const auto& declared = op.schema().arguments();
  std::vector<at::IValue> overwritten;
  for (size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].alias_info() == nullptr || !declared[i].alias_info()->isWrite()) continue;
    overwritten.push_back(torch::jit::peek(*stack, i, declared.size()));
  }
  {
    const at::AutoDispatchBelowADInplaceOrView guard;
    op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
  }
  for (const at::IValue& argument : overwritten) BumpVersion(argument);
}

}  // namespace

torch::CppFunction RefuseGradients() { return torch::CppFunction::makeFromBoxedFunction<&Refuse>(); }
torch::CppFunction CountOverwriting() { return torch::CppFunction::makeFromBoxedFunction<&Count>(); }

}  // namespace phi::torch_bridge
