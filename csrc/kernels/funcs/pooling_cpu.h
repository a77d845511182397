// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "kernels/funcs/pooling.h"
#include "kernels/funcs/vec_loop.h"

namespace phi::funcs {

// How many rows or columns a mean divides by: infinitely many for a window without elements, so that it is 0.
template <typename MT>
MT PoolCount(const PoolWindow& window) {
  return window.end > window.begin ? static_cast<MT>(window.size) : std::numeric_limits<MT>::infinity();
}

template <typename MT>
std::vector<MT> PoolCounts(const PoolSpan& span) {
  std::vector<MT> counts(span.out);
  for (int64_t j = 0; j < span.out; ++j) counts[j] = PoolCount<MT>(span.Window(j));
  return counts;
}

// f(j, k) for each output j and each element k of its window: one place of all windows after the other, so that the
// compiler can make vectors of neighbouring outputs.
template <typename F>
void ForEachPoolColumn(const PoolSpan& span, const F& f) {
  if (span.adaptive) {
    for (int64_t j = 0; j < span.out; ++j) {
      const PoolWindow w = span.Window(j);
      for (int64_t k = w.begin; k < w.end; ++k) f(j, k);
    }
    return;
  }
  const auto with_stride = [&](auto stride) {
    for (int64_t place = -span.before; place < span.kernel - span.before; ++place) {
      const int64_t first = place >= 0 ? 0 : (-place + stride - 1) / stride;
      const int64_t last = place < span.in ? std::min(span.out, (span.in - 1 - place) / stride + 1) : 0;
#pragma GCC ivdep  // no two outputs meet in the same element
      for (int64_t j = first; j < last; ++j) f(j, j * stride + place);
    }
  };
  if (span.stride == 1) {
    with_stride(std::integral_constant<int64_t, 1>());
  } else if (span.stride == 2) {
    with_stride(std::integral_constant<int64_t, 2>());
  } else {
    with_stride(span.stride);
  }
}

}  // namespace phi::funcs
