// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "primitive/cast.h"
#include "primitive/elementwise.h"

// The gradients of sum and mean: that of the result, spread over the elements.
namespace phi {

// x_grad = functor(out_grad), broadcast along the reduced axes
template <typename T, typename Context, typename Functor>
void SpreadGrad(const Context& dev_ctx,
                const DenseTensor& x,
                const DenseTensor& out_grad,
                primitive::AxisSet axes,
                const Functor& functor,
                DenseTensor* x_grad) {
  DenseTensor grad = out_grad;
  if (out_grad.dtype() != x.dtype()) {  // the forward op was told another one
    grad = DenseTensor();
    grad.Resize(out_grad.dims());
    primitive::CastTo(dev_ctx, out_grad, x.dtype(), &grad);
  }
  grad.Resize(funcs::KeptDims(x.dims(), axes));
  primitive::ElementwiseUnary<T>(dev_ctx, grad, x_grad, functor);
}

}  // namespace phi
