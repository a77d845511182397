// SPDX-License-Identifier: Apache-2.0
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <vector>

#include "backends/gpu/gpu_context.h"
#include "core/device_context_pool.h"
#include "core/device_guard.h"
#include "torch/host_resources.h"

// The GPU's contexts: torch's caching allocator, current stream and default generator behind PHI's interfaces.
namespace phi {

void GPUContext::Wait() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

namespace torch_bridge {
namespace {

// Blocks are tied to the stream that is current when they are made, as torch's own are.
class GPUAllocator final : public Allocator {
 public:
  explicit GPUAllocator(int8_t device) : device_(device) {}
  std::shared_ptr<Allocation> Allocate(size_t bytes) override {
    const c10::cuda::CUDAGuard guard(device_);
    return std::make_shared<DataPtrAllocation>(
        c10::cuda::CUDACachingAllocator::get()->allocate(bytes), bytes, GPUPlace(device_));
  }

 private:
  int8_t device_;
};

class GPUGenerator final : public Generator {
 public:
  explicit GPUGenerator(int8_t device) : device_(device) {}
  std::pair<uint64_t, uint64_t> IncrementOffset(uint64_t increment) override {
    at::Generator generator = at::cuda::detail::getDefaultCUDAGenerator(device_);
    const std::lock_guard<std::mutex> lock(generator.mutex());
    return at::check_generator<at::CUDAGeneratorImpl>(generator)->philox_engine_inputs((increment + 3) / 4 * 4);
  }

 private:
  int8_t device_;
};

// A thread has its own context of a device, since the current stream is the thread's.
struct DeviceState {
  explicit DeviceState(int8_t device) : allocator(device), generator(device), context(GPUPlace(device)) {
    int sm_count = 1;
    C10_CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, device));
    context.SetSMCount(sm_count);
    context.SetAllocator(&allocator);
    context.SetHostAllocator(&host_allocator);
    context.SetGenerator(&generator);
  }
  GPUAllocator allocator;
  HostAllocator host_allocator;
  GPUGenerator generator;
  GPUContext context;
};

DeviceContext* GPUContextMaker(const Place& place) {
  thread_local std::vector<std::unique_ptr<DeviceState>> states;
  const size_t device = place.GetDeviceId();
  if (states.size() <= device) states.resize(device + 1);
  if (!states[device]) states[device] = std::make_unique<DeviceState>(place.GetDeviceId());
  GPUContext& context = states[device]->context;
  context.SetStream(c10::cuda::getCurrentCUDAStream(place.GetDeviceId()).stream());
  return &context;
}

const bool registered = [] {
  DeviceContextPool::Instance().SetMaker(AllocationType::GPU, &GPUContextMaker);
  DeviceGuard::SetExchange(AllocationType::GPU, [](int8_t device) -> int8_t {
    return static_cast<int8_t>(c10::cuda::ExchangeDevice(device));
  });
  return true;
}();

}  // namespace
}  // namespace torch_bridge
}  // namespace phi
