// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/gpu/gpu_launch.cuh"

// Paddle's names for launches; gpu_launch.cuh has Launch, which also checks the outcome.
namespace phi::backends::gpu {

struct GpuLaunchConfig {
  dim3 thread_per_block;
  dim3 block_per_grid;
};

// A thread for each `vec_size` of `count` elements.
inline GpuLaunchConfig GetGpuLaunchConfig1D(const GPUContext&, int64_t count, int vec_size = 1) {
  constexpr int kThreads = 256;
  return {dim3(kThreads), dim3(std::max(1u, GridSize(count, int64_t{kThreads} * vec_size)))};
}

}  // namespace phi::backends::gpu

// Each index below `count`, taken by the threads of the grid in turn.
#define CUDA_KERNEL_LOOP_TYPE(i, count, Index)                              \
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x, \
             phi_loop_stride = static_cast<Index>(gridDim.x) * blockDim.x;  \
       i < (count);                                                         \
       i += phi_loop_stride)
#define CUDA_KERNEL_LOOP(i, count) CUDA_KERNEL_LOOP_TYPE(i, count, int64_t)

#define PADDLE_ENFORCE_GPU_SUCCESS(call) ::phi::backends::gpu::Check((call), #call)
