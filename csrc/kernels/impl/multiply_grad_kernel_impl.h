// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "kernels/funcs/elementwise_functor.h"
#include "kernels/multiply_grad_kernel.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void MultiplyGradKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& y,
                        const DenseTensor& out_grad,
                        int axis,
                        DenseTensor* x_grad,
                        DenseTensor* y_grad) {
  using Compute = primitive::ComputeType<T>;
  const funcs::MultiplyConjFunctor multiply;
  const DenseTensor aligned_x = funcs::AlignAtAxis(x, out_grad.dims().size(), axis);
  const DenseTensor aligned_y = funcs::AlignAtAxis(y, out_grad.dims().size(), axis);
  const auto compute = [&](const DenseTensor& input, const DenseTensor& other, DenseTensor* grad) {
    if (grad == nullptr) return;
    if (grad->dims() == out_grad.dims())
      return primitive::ElementwiseBinary<T>(dev_ctx, out_grad, other, grad, multiply);
    DenseTensor product;
    product.Resize(out_grad.dims());
    primitive::ElementwiseBinary<T, Compute>(dev_ctx, out_grad, other, &product, multiply);
    funcs::SumBroadcast<Compute, T>(dev_ctx, product, input.dims(), grad);
  };
  compute(aligned_x, aligned_y, x_grad);
  compute(aligned_y, aligned_x, y_grad);
}

}  // namespace phi
