// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "primitive/loop/axis_shape.h"

namespace phi {

// Each slice of x along `axis` `repeats` times.
template <typename T, typename Context>
void RepeatInterleaveKernel(
    const Context& dev_ctx, const DenseTensor& x, int repeats, int axis, int64_t, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  const primitive::AxisShape shape(x.dims(), axis);
  DenseTensor whole = primitive::ViewOf(*out, {shape.outer * shape.dim, repeats, shape.inner});
  primitive::Copy(dev_ctx, primitive::ViewOf(x, {shape.outer * shape.dim, 1, shape.inner}), &whole);
}

// Of x only the shape is read.
template <typename T, typename Context>
void RepeatInterleaveGradKernel(const Context& dev_ctx,
                                const DenseTensor& x,
                                const DenseTensor& out_grad,
                                int repeats,
                                int axis,
                                int64_t,
                                DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  const primitive::AxisShape shape(x.dims(), axis);
  const DDim once{shape.outer * shape.dim, 1, shape.inner};
  const DenseTensor grad = primitive::ViewOf(out_grad, {shape.outer * shape.dim, repeats, shape.inner});
  DenseTensor sum = primitive::ViewOf(*x_grad, once);
  funcs::SumBroadcast(dev_ctx, grad, once, out_grad.dtype(), &sum);
}

}  // namespace phi
