// SPDX-License-Identifier: Apache-2.0
#include "backends/emulated/devices.h"
#include "backends/emulated/settings.h"
#include "backends/gpu/gpu_context.h"
#include "core/device_context_pool.h"
#include "core/device_guard.h"
#include "torch/convert.h"
#include "torch/host_resources.h"

// The contexts of the emulated GPUs: torch's memory and the default generator of the CPU behind PHI's interfaces.
namespace phi {

void GPUContext::Wait() const {}

namespace torch_bridge {
namespace {

// Memory of one of the devices.
class EmulatedAllocator final : public Allocator {
 public:
  explicit EmulatedAllocator(Place place) : place_(place) {}
  std::shared_ptr<Allocation> Allocate(size_t bytes) override {
    const DeviceGuard guard(place_);
    return std::make_shared<DataPtrAllocation>(
        c10::GetAllocator(ToTorch(place_).type())->allocate(bytes), bytes, place_);
  }

 private:
  Place place_;
};

GPUContext* MakeContext(int8_t device) {
  const GPUPlace place(device);
  auto* const context = new GPUContext(place);
  context->SetAllocator(new EmulatedAllocator(place));
  context->SetHostAllocator(new HostAllocator);
  context->SetGenerator(new HostGenerator);
  return context;
}

DeviceContext* EmulatedContext(const Place& place) {
  // never destroyed: kernels may run while the process ends
  static GPUContext* const contexts[emulated::kDevices] = {MakeContext(0), MakeContext(1)};
  GPUContext* const context = contexts[place.GetDeviceId()];
  context->SetSMCount(emulated::CurrentSettings().processors);
  return context;
}

const bool registered = [] {
  DeviceContextPool::Instance().SetMaker(AllocationType::GPU, &EmulatedContext);
  DeviceGuard::SetExchange(AllocationType::GPU, [](int8_t device) -> int8_t {
    return static_cast<int8_t>(emulated::ExchangeDevice(device));
  });
  return true;
}();

}  // namespace
}  // namespace torch_bridge
}  // namespace phi
