// SPDX-License-Identifier: Apache-2.0
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "backends/cpu/cpu_context.h"
#include "core/device_context_pool.h"
#include "core/device_guard.h"

// The CPU's context: torch's allocator and default generator behind PHI's interfaces.
namespace phi::torch_bridge {

namespace {

class DataPtrAllocation final : public Allocation {
 public:
  DataPtrAllocation(c10::DataPtr data, size_t size)
      : Allocation(data.get(), size, CPUPlace()), data_(std::move(data)) {}

 private:
  c10::DataPtr data_;
};

class CPUAllocator final : public Allocator {
 public:
  std::shared_ptr<Allocation> Allocate(size_t bytes) override {
    return std::make_shared<DataPtrAllocation>(c10::GetAllocator(c10::kCPU)->allocate(bytes), bytes);
  }
};

// Each reservation takes a fresh seed from torch's generator, so torch.manual_seed makes runs repeatable.
class CPUGenerator final : public Generator {
 public:
  std::pair<uint64_t, uint64_t> IncrementOffset(uint64_t) override {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard<std::mutex> lock(generator.mutex());
    return {at::check_generator<at::CPUGeneratorImpl>(generator)->random64(), 0};
  }
};

// never destroyed: kernels may run while the process ends
const bool registered = [] {
  auto* context = new OneDNNContext;
  auto* allocator = new CPUAllocator;
  context->SetAllocator(allocator);
  context->SetHostAllocator(allocator);
  context->SetGenerator(new CPUGenerator);
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
