// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void ExpandKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& shape, DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
}

// out_grad, summed over the dimensions in which x was broadcast. Of x only the shape is read.
template <typename T, typename Context>
void ExpandGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& out_grad,
                      const IntArray& shape,
                      DenseTensor* x_grad) {
  funcs::SumToInput(dev_ctx, out_grad, -1, x, x_grad);
}

}  // namespace phi
