// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/impl/gather_grad_kernel_impl.h"
#include "kernels/index_select_grad_kernel.h"

namespace phi {

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
