// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/reduce/max.h"

namespace phi {

template <typename T, typename Context>
void MinKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, bool, DenseTensor* out) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size());
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kMin, x, axes, x.dtype(), out);
}

template <typename T, typename Context>
void MinGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& out,
                   const DenseTensor& out_grad,
                   const IntArray& axis,
                   bool,
                   bool reduce_all,
                   DenseTensor* x_grad) {
  ExtremeGrad<T>(dev_ctx, x, out, out_grad, funcs::ReduceAxes(axis, x.dims().size(), reduce_all), x_grad);
}

}  // namespace phi
