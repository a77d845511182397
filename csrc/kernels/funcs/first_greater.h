// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"
#include "primitive/convert.h"

#ifndef PHI_DEVICE_CODE
#include "primitive/cpu/simd.h"
#endif

namespace phi::funcs {

// The first place in [begin, end) of x where a floating-point number is greater than `than`, or `end`. On the CPU
// vectors are compared, of which few have one where the greatest so far is asked for again and again.
template <typename T>
HOSTDEVICE int64_t FirstGreater(const T* x, int64_t begin, int64_t end, primitive::ComputeType<T> than) {
#ifndef PHI_DEVICE_CODE
  using Pair = primitive::detail::SimdPair<primitive::ComputeType<T>>;
  using Vec = typename Pair::Vec;
  const Vec limit(than);
  const auto none = [&](const Pair& pair) {
    const auto zeros = static_cast<uint32_t>(((pair.lo > limit) | (pair.hi > limit)).zero_mask());
    return __builtin_popcount(zeros) == Vec::size();
  };
  while (begin + Pair::kSize <= end && none(Pair::Load(x + begin))) begin += Pair::kSize;
  if (begin < end && end - begin < Pair::kSize && none(Pair::Load(x + begin, end - begin))) return end;
#endif
  while (begin < end && !(primitive::ToCompute(x[begin]) > than)) ++begin;
  return begin;
}

}  // namespace phi::funcs
