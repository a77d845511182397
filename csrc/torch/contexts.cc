// SPDX-License-Identifier: Apache-2.0
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "backends/cpu/cpu_context.h"
#include "core/device_context_pool.h"
#include "core/device_guard.h"
#include "torch/host_resources.h"

// The CPU's context: torch's allocator and default generator behind PHI's interfaces.
namespace phi::torch_bridge {

namespace {

// never destroyed: kernels may run while the process ends
const bool contexts_registered = [] {
  auto* context = new OneDNNContext;
  auto* allocator = new HostAllocator;
  context->SetAllocator(allocator);
  context->SetHostAllocator(allocator);
  context->SetGenerator(new HostGenerator);
  DeviceContextPool::Instance().SetContext(AllocationType::CPU, context);
  DeviceGuard::SetExchange(AllocationType::CUSTOM, [](int8_t device) -> int8_t {
    if (!c10::impl::hasDeviceGuardImpl(c10::kPrivateUse1)) return device;
    const auto* guard = c10::impl::getDeviceGuardImpl(c10::kPrivateUse1);
    return static_cast<int8_t>(guard->exchangeDevice(c10::Device(c10::kPrivateUse1, device)).index());
  });
  return true;
}();

}  // namespace

}  // namespace phi::torch_bridge
