// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void WhereKernel(const Context& dev_ctx,
                 const DenseTensor& condition,
                 const DenseTensor& x,
                 const DenseTensor& y,
                 DenseTensor* out) {
  primitive::Select(dev_ctx, condition, x, y, out);
}

// A null gradient is not computed.
template <typename T, typename Context>
void WhereGradKernel(const Context& dev_ctx,
                     const DenseTensor& condition,
                     const DenseTensor& x,
                     const DenseTensor& y,
                     const DenseTensor& out_grad,
                     DenseTensor* x_grad,
                     DenseTensor* y_grad) {
  const auto compute = [&](const DenseTensor& input, bool taken, DenseTensor* grad) {
    if (grad == nullptr) return;
    if (input.dims() == out_grad.dims()) return primitive::Keep(dev_ctx, condition, taken, out_grad, grad);
    DenseTensor kept;
    kept.Resize(out_grad.dims());
    primitive::Keep(dev_ctx, condition, taken, out_grad, &kept);
    funcs::SumToInput(dev_ctx, kept, -1, input, grad);
  };
  compute(x, true, x_grad);
  compute(y, false, y_grad);
}

}  // namespace phi
