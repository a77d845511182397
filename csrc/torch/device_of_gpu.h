// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DeviceType.h>

namespace phi::torch_bridge {

// Whose tensors are a GPU's, instead of CUDA's: an emulated GPU has those of another device. Returns whose were.
c10::DeviceType SetDeviceOfGpu(c10::DeviceType type);

}  // namespace phi::torch_bridge
