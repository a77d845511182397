// SPDX-License-Identifier: Apache-2.0
// Tensors that a kernel makes for itself: Paddle's Empty, EmptyLike, Full and FullLike.
#pragma once

#include "core/dense_tensor.h"
#include "kernels/full_kernel.h"

namespace phi {

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

// `out` has its shape.
template <typename T, typename Context>
void Full(const Context& dev_ctx, const IntArray& shape, const Scalar& value, DenseTensor* out) {
  FullKernel<T, Context>(dev_ctx, shape, value, CppTypeToDataType<T>::Type(), out);
}
template <typename T, typename Context>
DenseTensor Full(const Context& dev_ctx, const IntArray& shape, const Scalar& value) {
  DenseTensor out;
  out.Resize(make_ddim(shape.GetData()));
  Full<T, Context>(dev_ctx, shape, value, &out);
  return out;
}
// Of the shape of x.
template <typename T, typename Context>
DenseTensor FullLike(const Context& dev_ctx, const DenseTensor& x, const Scalar& value) {
  return Full<T, Context>(dev_ctx, vectorize(x.dims()), value);
}

}  // namespace phi
