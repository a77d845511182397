// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ddim.h"

namespace phi::primitive {

// A shape seen from one axis: [outer, dim, inner]. A 0-d shape is [1, 1, 1].
struct AxisShape {
  int64_t outer = 1;
  int64_t dim = 1;
  int64_t inner = 1;

  // With `flatten`, all elements are along the axis.
  AxisShape(const DDim& dims, int axis, bool flatten = false) {
    if (flatten) {
      dim = product(dims);
      return;
    }
    if (dims.size() == 0) return;
    if (axis < 0) axis += dims.size();
    outer = product(slice_ddim(dims, 0, axis));
    dim = dims[axis];
    inner = product(slice_ddim(dims, axis + 1, dims.size()));
  }
};

}  // namespace phi::primitive
