// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"
#include "primitive/convert.h"

#ifndef PHI_DEVICE_CODE
#include "primitive/cpu/simd.h"
#endif

namespace phi::primitive {

// f(values, results) for each i in [begin, end), where values[k] is in[k][i] and results[k] becomes out[k][i]: numbers
// on a GPU, and SIMD vectors on the CPU, so that f is a template on their type. Half types are float. All of `in` is
// read before `out` is written, which may be the same memory. For the function of ForEachRun.
template <typename T, int kIn, int kOut, typename Function>
HOSTDEVICE void MapLanes(
    const T* const (&in)[kIn], T* const (&out)[kOut], int64_t begin, int64_t end, const Function& f) {
#ifdef PHI_DEVICE_CODE
  for (int64_t i = begin; i < end; ++i) {
    ComputeType<T> values[kIn], results[kOut];
    for (int k = 0; k < kIn; ++k) values[k] = ToCompute(in[k][i]);
    f(values, results);
    for (int k = 0; k < kOut; ++k) out[k][i] = Convert<T>(results[k]);
  }
#else
  using Pair = detail::SimdPair<ComputeType<T> >;
  using Vec = typename Pair::Vec;
  for (int64_t i = begin; i < end; i += Pair::kSize) {
    const int64_t n = end - i;
    Vec values[2][kIn], results[2][kOut];
    for (int k = 0; k < kIn; ++k) {
      const Pair pair = n < Pair::kSize ? Pair::Load(in[k] + i, n) : Pair::Load(in[k] + i);
      values[0][k] = pair.lo;
      values[1][k] = pair.hi;
    }
    f(values[0], results[0]);
    f(values[1], results[1]);
    for (int k = 0; k < kOut; ++k) {
      const Pair pair{results[0][k], results[1][k]};
      n < Pair::kSize ? pair.Store(out[k] + i, n) : pair.Store(out[k] + i);
    }
  }
#endif
}

}  // namespace phi::primitive
