// SPDX-License-Identifier: Apache-2.0
#include <c10/core/TensorOptions.h>

#include <optional>

#include "torch/convert.h"
#include "torch/errors.h"
#include "torch/keys.h"

namespace phi::torch_bridge {
namespace {

void Select(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  std::optional<c10::Device> device;
  if (const auto index = op.schema().argumentIndexWithName("device")) {
    const auto arguments = torch::jit::last(*stack, op.schema().arguments().size());
    device = arguments[static_cast<size_t>(*index)].toOptional<c10::Device>();
  }
  PHI_OP_TRY
  if (device) ToPhi(*device);  // an error for a device without kernels
  PHI_OP_CATCH(op.schema().name().c_str())
  const auto key = c10::computeDispatchKey(std::nullopt, std::nullopt, device);
  op.redispatchBoxed(c10::DispatchKeySet(key), stack);
}

}  // namespace

torch::CppFunction BackendSelect() { return torch::CppFunction::makeFromBoxedFunction<&Select>(); }

}  // namespace phi::torch_bridge
