// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/library.h>

namespace phi::torch_bridge {

using RegisterFn = void (*)(torch::Library& m, c10::DeviceType device);

// Calls `function` for each device, also for one that comes later, to register operators of the namespace `ns` for that
// device's key of a functionality: Dense, Sparse, SparseCsr, or Autocast.
bool RegisterForDevices(const char* ns, c10::DispatchKey functionality, RegisterFn function);

// Registers all operators, those of extensions too, for the tensors of a further device. CPU and CUDA are there. The
// library of a device calls this while it is loaded:
//   RegisterOps(c10::kPrivateUse1);
// and gives the DeviceContextPool what makes its contexts.
void RegisterOps(c10::DeviceType device);

}  // namespace phi::torch_bridge
