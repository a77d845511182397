// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/gpu/gpu_launch.cuh"
#include "common/ceil_div.h"
#include "common/hostdevice.h"
#include "primitive/gpu/fast_divide.h"

namespace phi::primitive::detail {

template <typename Function>
__global__ void ForEachKernel(int64_t n, Function f) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}

template <typename Function>
void RunForEach(const GPUContext& dev_ctx, int64_t n, const Function& f) {
  constexpr int kThreadsPerBlock = 256;
  const unsigned blocks = backends::gpu::WalkedGrid(CeilDiv(n, kThreadsPerBlock));
  backends::gpu::Launch(dev_ctx, &ForEachKernel<Function>, dim3(blocks), dim3(kThreadsPerBlock), n, f);
}

template <typename Divide, typename Function>
__global__ void ForEachRunKernel(int64_t n, int64_t width, Divide by_width, Function f) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t row = by_width.Divide(i);
    const int64_t column = i - row * width;
    f(row, column, column + 1);
  }
}

template <typename Function>
void RunForEachRun(const GPUContext& dev_ctx, int64_t rows, int64_t width, const Function& f) {
  constexpr int kThreadsPerBlock = 256;
  const int64_t n = rows * width;
  const dim3 blocks(backends::gpu::WalkedGrid(CeilDiv(n, kThreadsPerBlock)));
  WithDivide(n, width, [&](auto by_width) {
    backends::gpu::Launch(dev_ctx,
                          &ForEachRunKernel<decltype(by_width), Function>,
                          blocks,
                          dim3(kThreadsPerBlock),
                          n,
                          width,
                          by_width,
                          f);
  });
}

}  // namespace phi::primitive::detail
