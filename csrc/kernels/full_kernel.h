// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

template <typename T, typename Context>
void FullKernel(const Context& dev_ctx, const IntArray& shape, const Scalar& value, DataType dtype, DenseTensor* out);

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
