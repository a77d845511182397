// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"
#include "primitive/loop/copy_run.h"
#include "primitive/loop/row_offsets.h"

namespace phi::funcs {

// The elements of a tensor in memory: the first one, and strides, which may be negative.
template <typename T>
struct StridedElements {
  T* first;
  DDim strides;

  // Begins at the other end of a dimension.
  void Turn(int d, int64_t size) {
    first += (size - 1) * strides[d];
    strides[d] = -strides[d];
  }
};

// Copies the elements of a tensor of the shape `dims` from one place to another. They are read upwards in memory, as
// processors fetch ahead, whatever that does to the order in which they are written.
template <typename T, typename Context>
void StridedCopy(const Context& dev_ctx, const DDim& dims, StridedElements<const T> from, StridedElements<T> to) {
  const int64_t n = product(dims);
  if (n == 0) return;
  for (int d = 0; d < dims.size(); ++d) {
    if (from.strides[d] >= 0) continue;
    from.Turn(d, dims[d]);
    to.Turn(d, dims[d]);
  }
  const int last = dims.size() - 1;
  const int64_t width = last < 0 ? 1 : dims[last];
  const int64_t from_step = last < 0 ? 1 : from.strides[last];
  const int64_t to_step = last < 0 ? 1 : to.strides[last];
  const primitive::RowOffsets from_rows(dims, from.strides);
  const primitive::RowOffsets to_rows(dims, to.strides);
  const T* const source = from.first;
  T* const target = to.first;
  primitive::ForEachRun(dev_ctx, n / width, width, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
    const T* in = source + from_rows(row);
    T* out = target + to_rows(row);
    if (from_step == 1 && to_step == 1) {
      primitive::CopyRun(in + begin, out + begin, end - begin);
    } else if (from_step == 1 && to_step == -1) {
      primitive::ReverseRun(in + begin, out - begin, end - begin);
    } else {
      for (int64_t i = begin; i < end; ++i) out[i * to_step] = in[i * from_step];
    }
  });
}

}  // namespace phi::funcs
