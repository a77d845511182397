// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/manipulation/gather.h"

namespace phi {

// The slices of x at `index` along `axis`.
template <typename T, typename Context>
void IndexSelectKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, int axis, DenseTensor* out) {
  GatherKernel<T, Context>(dev_ctx, x, index, axis, out);
}

// Each slice of x_grad along `axis` is the sum of the slices of out_grad that it was taken for. Of x only the shape is
// read.
template <typename T, typename Context>
void IndexSelectGradKernel(const Context& dev_ctx,
                           const DenseTensor& x,
                           const DenseTensor& index,
                           const DenseTensor& out_grad,
                           int axis,
                           DenseTensor* x_grad) {
  GatherGradKernel<T, Context>(dev_ctx, x, index, out_grad, axis, x_grad);
}

}  // namespace phi
