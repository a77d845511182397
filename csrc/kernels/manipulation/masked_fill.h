// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/manipulation/where.h"

namespace phi {

// `value` where `mask`, else x. All broadcast.
template <typename T, typename Context>
void MaskedFillKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& mask, const DenseTensor& value, DenseTensor* out) {
  WhereKernel<T, Context>(dev_ctx, mask, value, x, out);
}

template <typename T, typename Context>
void MaskedFillGradKernel(const Context& dev_ctx,
                          const DenseTensor& x,
                          const DenseTensor& mask,
                          const DenseTensor& value,
                          const DenseTensor& out_grad,
                          DenseTensor* x_grad,
                          DenseTensor* value_grad) {
  WhereGradKernel<T, Context>(dev_ctx, mask, value, x, out_grad, value_grad, x_grad);
}

}  // namespace phi
