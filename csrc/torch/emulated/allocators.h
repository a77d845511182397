// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Allocator.h>

namespace phi::torch_bridge {

// For torch, the memory of backends/emulated/memory.h: the host's, and that of the current device.
c10::Allocator* FencedHostMemory();
c10::Allocator* EmulatedDeviceMemory();

}  // namespace phi::torch_bridge
