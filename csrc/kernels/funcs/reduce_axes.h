// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "primitive/reduce_plan.h"

namespace phi::funcs {

inline primitive::AxisSet ReduceAxes(const IntArray& axis, int rank, bool reduce_all = false) {
  primitive::AxisSet axes;
  if (reduce_all || rank == 0) return axes;
  for (int64_t a : axis) axes.Add(static_cast<int>(a < 0 ? a + rank : a));
  return axes;
}

// The shape of what a reduction with keepdim makes of `dims`.
inline DDim KeptDims(const DDim& dims, primitive::AxisSet axes) {
  DDim kept = dims;
  for (int i = 0; i < dims.size(); ++i) {
    if (axes.Has(i)) kept[i] = 1;
  }
  return kept;
}

}  // namespace phi::funcs
