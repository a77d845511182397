// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DeviceType.h>

#include <string>
#include <vector>

#include "core/kernel_factory.h"

namespace phi::torch_bridge {

// While there is one, calls with CPU tensors run the kernels for GPUs, with the emulated GPU's context: they stand
// before those for the CPU, as those of an extension may.
class GpuForCpu {
 public:
  GpuForCpu();
  ~GpuForCpu();
  GpuForCpu(const GpuForCpu&) = delete;
  GpuForCpu& operator=(const GpuForCpu&) = delete;

 private:
  struct Registration {
    std::string name;
    KernelKey key;
    const Kernel* kernel;
  };
  std::vector<Registration> registrations_;
  DeviceContext* cpu_;
  c10::DeviceType device_of_gpu_;
};

}  // namespace phi::torch_bridge
