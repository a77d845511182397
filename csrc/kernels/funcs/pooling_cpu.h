// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "common/ceil_div.h"
#include "kernels/funcs/pooling.h"
#include "primitive/loop/vec_loop.h"

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

// f(first, last, place) for each place of the windows of a span that is not adaptive: `place` is where it is in the
// window of output 0, and those of the outputs [first, last) are on the image, at j * stride + place.
template <typename F>
void ForEachPoolPlace(const PoolSpan& span, const F& f) {
  // of a window that is far larger than the image most places are beside it for every output
  const int64_t begin = std::max(-span.before, (1 - span.out) * span.stride);
  const int64_t end = std::min(span.kernel - span.before, span.in);
  for (int64_t place = begin; place < end; ++place) {
    const int64_t first = place >= 0 ? 0 : CeilDiv(-place, span.stride);
    const int64_t last = std::min(span.out, (span.in - 1 - place) / span.stride + 1);
    if (first < last) f(first, last, place);
  }
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
    ForEachPoolPlace(span, [&](int64_t first, int64_t last, int64_t place) {
#pragma GCC ivdep  // no two outputs meet in the same element
      for (int64_t j = first; j < last; ++j) f(j, j * stride + place);
    });
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
