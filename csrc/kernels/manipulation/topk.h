// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"
#include "primitive/loop/axis_shape.h"
#include "primitive/loop/check_index.h"
#include "primitive/memset.h"
#include "primitive/topk.h"

namespace phi {

// The k largest (or smallest) elements along `axis` and where they are. NaN counts as the largest number, and of equal
// elements the first come first. Without `sorted` the order is not said.
template <typename T, typename Context>
void TopkKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const Scalar& k,
                int axis,
                bool largest,
                bool sorted,
                DenseTensor* out,
                DenseTensor* indices) {
  dev_ctx.template Alloc<T>(out);
  dev_ctx.template Alloc<int64_t>(indices);
  if (out->numel() == 0) return;
  const primitive::AxisShape shape(x.dims(), axis);
  const int64_t count = x.dims().size() > 0 ? k.to<int64_t>() : 1;
  const auto select = GetPrimitive<primitive::TopK>(dev_ctx, x.dtype());
  select(dev_ctx, x, shape, count, largest, sorted, out, indices);
}

// out_grad at `indices`, zero elsewhere. Of x only the shape is read.
template <typename T, typename Context>
void TopkGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& indices,
                    const DenseTensor& out_grad,
                    const Scalar& k,
                    int axis,
                    bool largest,
                    bool sorted,
                    DenseTensor* x_grad) {
  const primitive::AxisShape shape(x.dims(), axis);
  const int64_t count = shape.dim == 0 ? 0 : primitive::AxisShape(indices.dims(), axis).dim;
  T* result = dev_ctx.template Alloc<T>(x_grad);
  primitive::SetZero(dev_ctx, x_grad);
  const int64_t* where = indices.data<int64_t>();
  const T* grad = out_grad.data<T>();
  const int64_t dim = shape.dim;
  const int64_t inner = shape.inner;
  // the indices of a line are all different, so no element is written twice
  primitive::ForEach(dev_ctx, shape.outer * count * inner, [=] HOSTDEVICE(int64_t i) {
    const int64_t line = i / (count * inner);
    primitive::CheckIndex("indices", where[i], 0, dim);
    result[(line * dim + where[i]) * inner + i % inner] = grad[i];
  });
}

}  // namespace phi
