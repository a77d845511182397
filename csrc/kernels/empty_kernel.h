// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// Allocates `out`, whose elements are whatever the memory holds.
template <typename T, typename Context>
void EmptyKernel(const Context& dev_ctx, const IntArray& shape, DataType dtype, DenseTensor* out);

template <typename T, typename Context>
DenseTensor Empty(const Context& dev_ctx, const IntArray& shape) {
  DenseTensor out;
  out.Resize(make_ddim(shape.GetData()));
  dev_ctx.template Alloc<T>(&out);
  return out;
}
// Of the shape of x.
template <typename T, typename Context>
DenseTensor EmptyLike(const Context& dev_ctx, const DenseTensor& x) {
  return Empty<T, Context>(dev_ctx, vectorize(x.dims()));
}

}  // namespace phi
