// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/gpu/gpu_launch.cuh"
#include "common/ceil_div.h"
#include "primitive/convert.h"
#include "primitive/loop/philox.h"

namespace phi::primitive::detail {

// A thread per counter.
template <bool kNormal, typename Real, typename Function>
__global__ void RandomKernel(PhiloxState state, int64_t n, Function f) {
  constexpr int kNumbers = kNumbersPerCounter<Real>;
  constexpr int kWords = 4 / kNumbers;
  const int64_t counters = PhiloxCounters<Real>(n);
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t counter = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; counter < counters; counter += step) {
    const PhiloxWords words = Philox4x32(state.seed, state.offset + counter);
    Real numbers[kNumbers];
    for (int j = 0; j < kNumbers; ++j) numbers[j] = ToUniform<Real>(words.word + j * kWords);
    if constexpr (kNormal) {
      for (int j = 0; j < kNumbers; j += 2) ToNormal(numbers[j], numbers[j + 1], &numbers[j], &numbers[j + 1]);
    }
    for (int j = 0; j < kNumbers; ++j) {
      const int64_t i = counter * kNumbers + j;
      if (i < n) f(i, numbers[j]);
    }
  }
}

template <bool kNormal, typename Real, typename Function>
void RunRandom(const GPUContext& dev_ctx, const PhiloxState& state, int64_t n, const Function& f) {
  constexpr int kThreads = 256;
  const int64_t counters = PhiloxCounters<Real>(n);
  const unsigned blocks = backends::gpu::WalkedGrid(CeilDiv(counters, kThreads));
  backends::gpu::Launch(dev_ctx, &RandomKernel<kNormal, Real, Function>, dim3(blocks), dim3(kThreads), state, n, f);
}

template <typename Real, typename Function>
void RunUniform(const GPUContext& dev_ctx, const PhiloxState& state, int64_t n, const Function& f) {
  RunRandom<false, Real>(dev_ctx, state, n, f);
}

// A functor of a number as a function of its place.
template <typename T, typename Functor>
struct FillAt {
  Functor functor;
  T* out;
  template <typename Real>
  HOSTDEVICE void operator()(int64_t i, Real number) const {
    out[i] = Convert<T>(functor(number));
  }
};

template <bool kNormal, typename T, typename Real, typename Functor>
void FillRandom(const GPUContext& dev_ctx, const PhiloxState& state, int64_t n, const Functor& functor, T* out) {
  RunRandom<kNormal, Real>(dev_ctx, state, n, FillAt<T, Functor>{functor, out});
}

}  // namespace phi::primitive::detail
