// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/reduce/max.h"

namespace phi {

template <typename T, typename Context>
void AmaxKernel(
    const Context& dev_ctx, const DenseTensor& x, const std::vector<int64_t>& axis, bool, DenseTensor* out) {
  const primitive::AxisSet axes = funcs::ReduceAxes({axis.data(), axis.size()}, x.dims().size());
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kMax, x, axes, x.dtype(), out);
}

template <typename T, typename Context>
void AmaxGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& out,
                    const DenseTensor& out_grad,
                    const std::vector<int64_t>& axis,
                    bool,
                    bool reduce_all,
                    DenseTensor* x_grad) {
  const primitive::AxisSet axes = funcs::ReduceAxes({axis.data(), axis.size()}, x.dims().size(), reduce_all);
  ExtremeGrad<T>(dev_ctx, x, out, out_grad, axes, x_grad);
}

}  // namespace phi
