// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/impl/reshape_kernel_impl.h"
#include "kernels/squeeze_kernel.h"

namespace phi {

template <typename T, typename Context>
void SqueezeKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, DenseTensor* out) {
  detail::CopyElements<T>(dev_ctx, x, out);
}

template <typename T, typename Context>
void SqueezeGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& out_grad,
                       const IntArray& axis,
                       DenseTensor* x_grad) {
  detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
}

}  // namespace phi
