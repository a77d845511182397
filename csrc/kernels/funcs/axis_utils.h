// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ddim.h"

namespace phi::funcs {

inline int CanonicalAxis(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

// The number of elements before an axis, from it on, and after it. AxisShape has all at once.
template <typename T = int64_t>
T SizeToAxis(int axis, const DDim& dims) {
  return static_cast<T>(product(slice_ddim(dims, 0, axis)));
}
template <typename T = int64_t>
T SizeFromAxis(int axis, const DDim& dims) {
  return static_cast<T>(product(slice_ddim(dims, axis, dims.size())));
}
template <typename T = int64_t>
T SizeOutAxis(int axis, const DDim& dims) {
  return SizeFromAxis<T>(axis + 1, dims);
}

}  // namespace phi::funcs
