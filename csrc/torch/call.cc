// SPDX-License-Identifier: Apache-2.0
#include "torch/call.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace phi::torch_bridge {

void detail::LendResolved(const at::Tensor& tensor, DenseTensor* dense) {
  *dense = ToPhi(tensor.resolve_conj().resolve_neg());
}

InputList Lend(at::TensorList tensors, const InputRule& rule) {
  InputList inputs(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) detail::Lend(tensors[i], rule.flags, inputs[i].mutable_tensor());
  return inputs;
}

OptionalInputList Lend(const std::optional<std::vector<at::Tensor>>& tensors, const InputRule& rule) {
  OptionalInputList inputs;
  if (!tensors) return inputs;
  for (const at::Tensor& tensor : *tensors) {  // which torch's dispatcher does not look into
    PADDLE_ENFORCE(
        tensor.layout() == at::kStrided && tensor.has_storage(),
        errors::InvalidArgument("argument '%s': expected dense tensors, each with memory, got one of layout %s",
                                rule.name,
                                c10::str(tensor.layout())));
  }
  inputs.list() = Lend(at::TensorList(*tensors), rule);
  return inputs;
}

std::optional<at::Device> WithIndex(const std::optional<at::Device>& device) {
  PADDLE_ENFORCE(!device || !device->is_meta(),
                 errors::Unimplemented("argument 'place': expected a device that holds numbers, got 'meta', where the "
                                       "tensors of the call are not; move them with .to('meta')"));
  if (!device || device->has_index() || device->is_cpu() || !c10::impl::hasDeviceGuardImpl(device->type())) {
    return device;
  }
  return c10::impl::getDeviceGuardImpl(device->type())->getDevice();
}

}  // namespace phi::torch_bridge
