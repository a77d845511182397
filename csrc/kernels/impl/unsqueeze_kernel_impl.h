// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/impl/reshape_kernel_impl.h"
#include "kernels/unsqueeze_kernel.h"

namespace phi {

template <typename T, typename Context>
void UnsqueezeKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, DenseTensor* out) {
  detail::CopyElements<T>(dev_ctx, x, out);
}

template <typename T, typename Context>
void UnsqueezeGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const DenseTensor& out_grad,
                         DenseTensor* x_grad) {
  detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
}

}  // namespace phi
