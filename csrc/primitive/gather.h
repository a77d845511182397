// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"
#include "primitive/loop/axis_shape.h"

namespace phi::primitive {

// A table [outer, rows, width] of which rows are looked up by their indices, and how these ids are read.
struct LookupTable {
  const char* ids_name;  // of the argument, for errors
  int64_t outer = 1;     // each has the same rows looked up
  int64_t rows = 0;
  int64_t width = 0;         // elements
  bool wraps = true;         // negative ids count from the end
  int64_t padding_idx = -1;  // an id whose row counts as zero; -1 means none

  int64_t lowest() const { return wraps ? -rows : 0; }
};

inline LookupTable TableAlong(const DenseTensor& x, int axis) {
  const AxisShape shape(x.dims(), axis);
  return {"index", shape.outer, shape.dim, shape.inner};
}

// out [outer, ids, width] = the rows `ids` (int32 or int64) of `table`, which has its memory in `x`. out is allocated,
// of the dtype of x, which may be any. An id that is no row raises OutOfRange on the CPU, and stops the kernel on a
// GPU.
struct Gather {
  static constexpr const char* kName = "gather";
  using Key = std::tuple<>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const LookupTable& table,
                      const DenseTensor& ids,
                      const DenseTensor& x,
                      DenseTensor* out);
};

}  // namespace phi::primitive
