// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/matmul_grad_kernel.h"
#include "kernels/matmul_kernel.h"

namespace phi {

// out[i] = x[i] @ y[i], of any strides.
template <typename T, typename Context>
void BmmKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {
  MatmulKernel<T, Context>(dev_ctx, x, y, false, false, out);
}

template <typename T, typename Context>
void BmmGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& y,
                   const DenseTensor& out_grad,
                   DenseTensor* x_grad,
                   DenseTensor* y_grad) {
  MatmulGradKernel<T, Context>(dev_ctx, x, y, out_grad, false, false, x_grad, y_grad);
}

}  // namespace phi
