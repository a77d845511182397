// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/add_grad_kernel.h"
#include "kernels/funcs/broadcast_grad.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void AddGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& y,
                   const DenseTensor& out_grad,
                   int axis,
                   DenseTensor* x_grad,
                   DenseTensor* y_grad) {
  const auto compute = [&](const DenseTensor& input, DenseTensor* grad) {
    if (grad == nullptr) return;
    if (input.dims() == out_grad.dims()) return primitive::Copy(dev_ctx, out_grad, grad);
    const DenseTensor aligned = funcs::AlignAtAxis(input, out_grad.dims().size(), axis);
    funcs::SumBroadcast<T, T>(dev_ctx, out_grad, aligned.dims(), grad);
  };
  compute(x, x_grad);
  compute(y, y_grad);
}

}  // namespace phi
