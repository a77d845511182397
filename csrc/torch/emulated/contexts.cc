// SPDX-License-Identifier: Apache-2.0
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <c10/core/Allocator.h>

#include <memory>
#include <mutex>

#include "backends/emulated/devices.h"
#include "backends/emulated/settings.h"
#include "backends/gpu/gpu_context.h"
#include "core/device_context_pool.h"
#include "core/device_guard.h"
#include "torch/convert.h"

// The contexts of the emulated GPUs: torch's memory and the default generator of the CPU behind PHI's interfaces.
namespace phi {

void GPUContext::Wait() const {}

namespace torch_bridge {
namespace {

class DataPtrAllocation final : public Allocation {
 public:
  DataPtrAllocation(c10::DataPtr data, size_t size, Place place)
      : Allocation(data.get(), size, place), data_(std::move(data)) {}

 private:
  c10::DataPtr data_;
};

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

class EmulatedGenerator final : public Generator {
 public:
  std::pair<uint64_t, uint64_t> IncrementOffset(uint64_t) override {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard<std::mutex> lock(generator.mutex());
    return {at::check_generator<at::CPUGeneratorImpl>(generator)->random64(), 0};
  }
};

GPUContext* MakeContext(int8_t device) {
  const GPUPlace place(device);
  auto* const context = new GPUContext(place);
  context->SetAllocator(new EmulatedAllocator(place));
  context->SetHostAllocator(new EmulatedAllocator(CPUPlace()));
  context->SetGenerator(new EmulatedGenerator);
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
