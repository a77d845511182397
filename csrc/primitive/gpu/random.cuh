// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/gpu/gpu_launch.h"
#include "kernels/funcs/philox.h"

namespace phi::primitive::detail {

// A thread per counter.
template <bool kNormal, typename Real, typename Function>
__global__ void RandomKernel(funcs::PhiloxState state, int64_t n, Function f) {
  constexpr int kNumbers = funcs::kNumbersPerCounter<Real>;
  constexpr int kWords = 4 / kNumbers;
  const int64_t counters = funcs::PhiloxCounters<Real>(n);
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t counter = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; counter < counters; counter += step) {
    const funcs::PhiloxWords words = funcs::Philox4x32(state.seed, state.offset + counter);
    Real numbers[kNumbers];
    for (int j = 0; j < kNumbers; ++j) numbers[j] = funcs::ToUniform<Real>(words.word + j * kWords);
    if constexpr (kNormal) {
      for (int j = 0; j < kNumbers; j += 2) funcs::ToNormal(numbers[j], numbers[j + 1], &numbers[j], &numbers[j + 1]);
    }
    for (int j = 0; j < kNumbers; ++j) {
      const int64_t i = counter * kNumbers + j;
      if (i < n) f(i, numbers[j]);
    }
  }
}

template <bool kNormal, typename Real, typename Function>
void RunRandom(const GPUContext& dev_ctx, const funcs::PhiloxState& state, int64_t n, const Function& f) {
  constexpr int kThreads = 256;
  const int64_t counters = funcs::PhiloxCounters<Real>(n);
  const int64_t blocks = std::min<int64_t>((counters + kThreads - 1) / kThreads, 1 << 30);
  backends::gpu::Launch(dev_ctx, &RandomKernel<kNormal, Real, Function>, dim3(blocks), dim3(kThreads), state, n, f);
}

template <typename Real, typename Function>
void RunUniform(const GPUContext& dev_ctx, const funcs::PhiloxState& state, int64_t n, const Function& f) {
  RunRandom<false, Real>(dev_ctx, state, n, f);
}

template <typename Real, typename Function>
void RunNormal(const GPUContext& dev_ctx, const funcs::PhiloxState& state, int64_t n, const Function& f) {
  RunRandom<true, Real>(dev_ctx, state, n, f);
}

}  // namespace phi::primitive::detail
