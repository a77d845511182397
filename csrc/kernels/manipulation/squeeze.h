// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/manipulation/reshape.h"

namespace phi {

// A copy of x without the dimensions of size 1 that `axis` names.
template <typename T, typename Context>
void SqueezeKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, DenseTensor* out) {
  detail::CopyElements<T>(dev_ctx, x, out);
}

// A copy of out_grad with the shape of x.
template <typename T, typename Context>
void SqueezeGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& out_grad,
                       const IntArray& axis,
                       DenseTensor* x_grad) {
  detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
}

}  // namespace phi
