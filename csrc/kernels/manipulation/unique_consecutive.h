// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kernels/funcs/true_elements.h"
#include "primitive/loop/axis_shape.h"

namespace phi {

// Whether the element after one is another.
template <typename T>
struct IsAnother {
  const T* x;
  HOSTDEVICE bool operator()(int64_t i) const { return x[i] != x[i + 1]; }
  HOSTDEVICE void Copy(int64_t i, T* to, int64_t, int64_t run) const { to[run] = x[i]; }
};

// The same of slices along an axis.
template <typename T>
struct IsAnotherSlice {
  const T* x;
  primitive::AxisShape shape;

  HOSTDEVICE bool operator()(int64_t slice) const {
    for (int64_t i = 0; i < shape.outer; ++i) {
      const T* const row = x + (i * shape.dim + slice) * shape.inner;
      for (int64_t j = 0; j < shape.inner; ++j) {
        if (row[j] != row[j + shape.inner]) return true;
      }
    }
    return false;
  }

  HOSTDEVICE void Copy(int64_t slice, T* to, int64_t count, int64_t run) const {
    for (int64_t i = 0; i < shape.outer; ++i) {
      const T* const row = x + (i * shape.dim + slice) * shape.inner;
      for (int64_t j = 0; j < shape.inner; ++j) to[(i * count + run) * shape.inner + j] = row[j];
    }
  }
};

// The first of each run of n equal slices along an axis of what has the shape `dims`; `index` and `counts` where they
// are asked for. A run but the first begins after a slice that the next one differs from.
template <typename Index, typename T, typename Context, typename Ends>
void FirstOfRuns(const Context& dev_ctx,
                 const Ends& ends,
                 DDim dims,
                 int axis,
                 bool return_inverse,
                 bool return_counts,
                 DenseTensor* out,
                 DenseTensor* index,
                 DenseTensor* counts) {
  const int64_t n = dims[axis];
  const int64_t pairs = std::max<int64_t>(n - 1, 0);
  const auto found = funcs::TrueElements::Of(dev_ctx, pairs, ends);
  const int64_t count = n == 0 ? 0 : found.count() + 1;
  dims[axis] = count;
  T* const to = dev_ctx.template Alloc<T>(&out->Resize(dims));
  Index* const of = dev_ctx.template Alloc<Index>(index);
  Index* const times = dev_ctx.template Alloc<Index>(&counts->Resize({return_counts ? count : 0}));
  if (n == 0) return;
  if (!return_inverse && !return_counts) {
    primitive::ForEach(dev_ctx, 1, [=] HOSTDEVICE(int64_t) { ends.Copy(0, to, count, 0); });
    return found.Visit(dev_ctx, pairs, ends, [=] HOSTDEVICE(int64_t i, int64_t number, bool is_end) {
      if (is_end) ends.Copy(i + 1, to, count, number + 1);
    });
  }
  DenseTensor starts = primitive::EmptyTensor<int64_t>(dev_ctx, {count + 1});  // of the runs, and their end
  int64_t* const start = starts.data<int64_t>();
  primitive::ForEach(dev_ctx, 1, [=] HOSTDEVICE(int64_t) {
    ends.Copy(0, to, count, 0);
    if (return_inverse) of[0] = 0;
    start[0] = 0;
    start[count] = n;
  });
  found.Visit(dev_ctx, pairs, ends, [=] HOSTDEVICE(int64_t i, int64_t number, bool is_end) {
    const int64_t run = number + is_end;
    if (return_inverse) of[i + 1] = static_cast<Index>(run);
    if (!is_end) return;
    start[run] = i + 1;
    ends.Copy(i + 1, to, count, run);
  });
  if (!return_counts) return;
  primitive::ForEach(
      dev_ctx, count, [=] HOSTDEVICE(int64_t run) { times[run] = static_cast<Index>(start[run + 1] - start[run]); });
}

// Without an axis an element is a slice.
template <typename T, typename Context>
void UniqueConsecutiveKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             bool return_inverse,
                             bool return_counts,
                             const std::vector<int>& axis,
                             DataType,
                             DenseTensor* out,
                             DenseTensor* index,
                             DenseTensor* counts) {
  const auto find = [&]<typename Index>(Index) {
    if (axis.empty()) {
      const IsAnother<T> ends{x.data<T>()};
      FirstOfRuns<Index, T>(dev_ctx, ends, {x.numel()}, 0, return_inverse, return_counts, out, index, counts);
    } else {
      const int at = axis[0] < 0 ? axis[0] + x.dims().size() : axis[0];
      const IsAnotherSlice<T> ends{x.data<T>(), primitive::AxisShape(x.dims(), at)};
      FirstOfRuns<Index, T>(dev_ctx, ends, x.dims(), at, return_inverse, return_counts, out, index, counts);
    }
  };
  index->dtype() == DataType::INT32 ? find(int32_t()) : find(int64_t());
}

}  // namespace phi
