// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "kernels/funcs/tensor_view.h"
#include "kernels/funcs/tile_shapes.h"
#include "kernels/impl/reshape_kernel_impl.h"
#include "kernels/tile_grad_kernel.h"

namespace phi {

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
    DenseTensor sum = funcs::ViewOf(*x_grad, from);
    return funcs::SumBroadcast(dev_ctx, funcs::ViewOf(out_grad, shapes.to()), from, out_grad.dtype(), &sum);
  }
  DenseTensor part = funcs::EmptyTensor<T>(dev_ctx, shapes.inner_dims());
  TileGradKernel<T, Context>(dev_ctx, part, out_grad, shapes.outer_repeats(), &part);
  TileGradKernel<T, Context>(dev_ctx, x, part, shapes.inner_repeats(), x_grad);
}

}  // namespace phi
