// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/reduce/cummax.h"

namespace phi {

template <typename T, typename Context>
void CumminKernel(
    const Context& dev_ctx, const DenseTensor& x, int axis, DataType, DenseTensor* out, DenseTensor* indices) {
  CumulativeExtreme<primitive::MinOp, T>(dev_ctx, x, axis, out, indices);
}

template <typename T, typename Context>
void CumminGradKernel(const Context& dev_ctx,
                      const DenseTensor&,
                      const DenseTensor& indices,
                      const DenseTensor& out_grad,
                      int axis,
                      DataType,
                      DenseTensor* x_grad) {
  CumulativeExtremeGrad<T>(dev_ctx, indices, out_grad, axis, x_grad);
}

}  // namespace phi
