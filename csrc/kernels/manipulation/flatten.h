// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/manipulation/reshape.h"

namespace phi {

// A copy of x with the dimensions from start_axis to stop_axis as one.
template <typename T, typename Context>
void FlattenKernel(const Context& dev_ctx, const DenseTensor& x, int start_axis, int stop_axis, DenseTensor* out) {
  detail::CopyElements<T>(dev_ctx, x, out);
}

// A copy of out_grad with the shape of x.
template <typename T, typename Context>
void FlattenGradKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, DenseTensor* x_grad) {
  detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
}

}  // namespace phi
