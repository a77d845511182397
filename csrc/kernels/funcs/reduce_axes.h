// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/int_array.h"
#include "core/ddim.h"

namespace phi::funcs {

// The axes of a reduction, each in [0, rank), as primitive::Reduce takes them: an empty list stands for all.
inline std::vector<int> ReduceAxes(const IntArray& axis, int rank, bool reduce_all = false) {
  std::vector<int> axes;
  if (reduce_all || rank == 0) return axes;
  axes.reserve(axis.size());
  for (int64_t a : axis) axes.push_back(static_cast<int>(a < 0 ? a + rank : a));
  return axes;
}

// The shape of what a reduction with keepdim makes of `dims`.
inline DDim KeptDims(const DDim& dims, const std::vector<int>& axes) {
  if (axes.empty()) return DDim(dims.size(), 1);
  DDim kept = dims;
  for (int axis : axes) kept[axis] = 1;
  return kept;
}

}  // namespace phi::funcs
