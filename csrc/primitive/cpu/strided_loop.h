// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "core/parallel.h"
#include "primitive/strided_plan.h"

namespace phi::primitive::detail {

// Fewer elements than this are not worth another thread.
inline constexpr int64_t kGrainSize = 32768;

// Computes n0 x n1 elements from `data` on; strides[0] and strides[1] are those of the two innermost dimensions.
using RectangleFn = void (*)(const void* functor,
                             char* const* data,
                             const int64_t (*strides)[StridedPlan::kMaxOperands],
                             int64_t n0,
                             int64_t n1);

// The elements [begin, end) of the plan, in its order, as rectangles.
inline void ForEachRectangleIn(
    const StridedPlan& plan, RectangleFn rectangle, const void* functor, int64_t begin, int64_t end) {
  int64_t index[DDim::kMaxRank] = {};
  for (int64_t d = 0, rest = begin; d < plan.rank; rest /= plan.sizes[d++]) index[d] = rest % plan.sizes[d];
  const int64_t n0 = plan.sizes[0];
  const int64_t n1 = plan.rank > 1 ? plan.sizes[1] : 1;
  while (begin < end) {
    char* data[StridedPlan::kMaxOperands];
    for (int k = 0; k < plan.operands; ++k) {
      data[k] = plan.data[k];
      for (int d = 0; d < plan.rank; ++d) data[k] += index[d] * plan.strides[d][k];
    }
    // whole rows, or what is left of one
    const bool whole = index[0] == 0 && end - begin >= n0;
    const int64_t columns = whole ? n0 : std::min(n0 - index[0], end - begin);
    const int64_t rows = whole ? std::min(n1 - index[1], (end - begin) / n0) : 1;
    rectangle(functor, data, plan.strides, columns, rows);
    begin += columns * rows;
    int d = whole ? 1 : 0;
    index[d] += whole ? rows : columns;
    for (; d < plan.rank && index[d] >= plan.sizes[d]; ++d) {
      index[d] = 0;
      if (d + 1 < plan.rank) ++index[d + 1];
    }
  }
}

inline void ForEachRectangle(const StridedPlan& plan, RectangleFn rectangle, const void* functor) {
  ParallelFor(plan.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
    ForEachRectangleIn(plan, rectangle, functor, begin, end);
  });
}

}  // namespace phi::primitive::detail
