// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/axis_shape.h"
#include "kernels/topk_grad_kernel.h"
#include "primitive/for_each.h"
#include "primitive/memset.h"

namespace phi {

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
  const funcs::AxisShape shape(x.dims(), axis);
  const int64_t count = shape.dim == 0 ? 0 : funcs::AxisShape(indices.dims(), axis).dim;
  T* result = dev_ctx.template Alloc<T>(x_grad);
  primitive::SetZero(dev_ctx, x_grad);
  const int64_t* where = indices.data<int64_t>();
  const T* grad = out_grad.data<T>();
  const int64_t dim = shape.dim;
  const int64_t inner = shape.inner;
  // the indices of a line are all different, so no element is written twice
  primitive::ForEach(dev_ctx, shape.outer * count * inner, [=] HOSTDEVICE(int64_t i) {
    const int64_t line = i / (count * inner);
    result[(line * dim + where[i]) * inner + i % inner] = grad[i];
  });
}

}  // namespace phi
