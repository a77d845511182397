// SPDX-License-Identifier: Apache-2.0
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <c10/core/Allocator.h>

#include <memory>
#include <mutex>

#include "backends/emulated/settings.h"
#include "backends/gpu/gpu_context.h"
#include "core/device_context_pool.h"

// The emulated GPU's context: torch's memory and default generator of the CPU behind PHI's interfaces.
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
    return std::make_shared<DataPtrAllocation>(c10::GetAllocator(c10::kCPU)->allocate(bytes), bytes, place_);
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

DeviceContext* EmulatedContext(const Place& place) {
  // never destroyed: kernels may run while the process ends
  static GPUContext& context = [&]() -> GPUContext& {
    auto& made = *new GPUContext(place);
    made.SetAllocator(new EmulatedAllocator(place));
    made.SetHostAllocator(new EmulatedAllocator(CPUPlace()));
    made.SetGenerator(new EmulatedGenerator);
    return made;
  }();
  context.SetSMCount(emulated::CurrentSettings().processors);
  return &context;
}

const bool registered = [] {
  DeviceContextPool::Instance().SetMaker(AllocationType::GPU, &EmulatedContext);
  return true;
}();

}  // namespace
}  // namespace torch_bridge
}  // namespace phi
