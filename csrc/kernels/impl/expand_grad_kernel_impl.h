// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/expand_grad_kernel.h"
#include "kernels/funcs/broadcast_grad.h"
#include "kernels/impl/reshape_kernel_impl.h"

namespace phi {

template <typename T, typename Context>
void ExpandGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& out_grad,
                      const IntArray& shape,
                      DenseTensor* x_grad) {
  const DDim aligned = funcs::AlignAtAxis(x, out_grad.dims().size(), -1).dims();
  if (aligned == out_grad.dims()) return detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
  funcs::SumBroadcast<T, T>(dev_ctx, out_grad, aligned, x_grad);
}

}  // namespace phi
