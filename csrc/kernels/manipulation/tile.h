// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "kernels/funcs/tile_shapes.h"
#include "kernels/manipulation/reshape.h"
#include "primitive/elementwise.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

template <typename T, typename Context>
void TileKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& repeat_times, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  const funcs::TileShapes shapes(x.dims(), repeat_times);
  if (shapes.fits()) {
    DenseTensor whole = primitive::ViewOf(*out, shapes.to());
    return primitive::Copy(dev_ctx, primitive::ViewOf(x, shapes.from()), &whole);
  }
  DenseTensor part;
  part.Resize(shapes.inner_dims());
  TileKernel<T, Context>(dev_ctx, x, shapes.inner_repeats(), &part);
  TileKernel<T, Context>(dev_ctx, part, shapes.outer_repeats(), out);
}

// The sum of the repetitions of x in out_grad. Of x only the shape is read.
template <typename T, typename Context>
void TileGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& out_grad,
                    const IntArray& repeat_times,
                    DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  const funcs::TileShapes shapes(x.dims(), repeat_times);
  if (shapes.fits()) {
    const DDim from = shapes.from();
    if (from == shapes.to()) return detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
    DenseTensor sum = primitive::ViewOf(*x_grad, from);
    return funcs::SumBroadcast(dev_ctx, primitive::ViewOf(out_grad, shapes.to()), from, out_grad.dtype(), &sum);
  }
  DenseTensor part = primitive::EmptyTensor<T>(dev_ctx, shapes.inner_dims());
  TileGradKernel<T, Context>(dev_ctx, part, out_grad, shapes.outer_repeats(), &part);
  TileGradKernel<T, Context>(dev_ctx, x, part, shapes.inner_repeats(), x_grad);
}

}  // namespace phi
