// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "kernels/mean_kernel.h"
#include "primitive/reduce.h"

namespace phi {

// The mean of bool tells whether any element is true, as in Paddle.
template <typename T, typename Context>
void MeanKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, bool, DenseTensor* out) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size());
  if constexpr (std::is_same_v<T, bool>) {
    primitive::Reduce<bool, bool, primitive::AnyOp>(dev_ctx, x, axes, out);
  } else {
    primitive::Reduce<T, T, primitive::MeanOp>(dev_ctx, x, axes, out);
  }
}

}  // namespace phi
