// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/expand_grad_kernel.h"
#include "kernels/funcs/binary_grad.h"

namespace phi {

template <typename T, typename Context>
void ExpandGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& out_grad,
                      const IntArray& shape,
                      DenseTensor* x_grad) {
  funcs::SumToInput(dev_ctx, out_grad, -1, x, x_grad);
}

}  // namespace phi
