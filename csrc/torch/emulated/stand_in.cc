// SPDX-License-Identifier: Apache-2.0
#include "torch/emulated/stand_in.h"

#include <optional>

#include "core/device_context_pool.h"
#include "torch/device_of_gpu.h"

namespace phi::torch_bridge {

namespace {

// The backend of the CPU that a backend of the GPU stands for.
std::optional<Backend> Counterpart(Backend backend) {
  if (backend == Backend::GPU) return Backend::CPU;
  if (backend == Backend::GPUDNN) return Backend::ONEDNN;
  return std::nullopt;
}

}  // namespace

GpuForCpu::GpuForCpu()
    : cpu_(DeviceContextPool::Instance().Get(CPUPlace())), device_of_gpu_(SetDeviceOfGpu(c10::kCPU)) {
  KernelFactory& factory = KernelFactory::Instance();
  for (const std::string& name : factory.Names()) {
    for (const auto& [key, kernel] : factory.Find(name)->kernels()) {
      const std::optional<Backend> backend = Counterpart(key.backend());
      if (!backend) continue;
      const KernelKey own(*backend, key.layout(), key.dtype());
      registrations_.push_back({name, own, factory.Register(name, own, *kernel, /*override=*/true)});
    }
  }
  DeviceContextPool::Instance().SetContext(AllocationType::CPU, DeviceContextPool::Instance().Get(GPUPlace(0)));
}

GpuForCpu::~GpuForCpu() {
  SetDeviceOfGpu(device_of_gpu_);
  DeviceContextPool::Instance().SetContext(AllocationType::CPU, cpu_);
  for (const Registration& r : registrations_) KernelFactory::Instance().Remove(r.name, r.key, r.kernel);
}

}  // namespace phi::torch_bridge
