// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/flatten_kernel.h"
#include "kernels/impl/reshape_kernel_impl.h"

namespace phi {

template <typename T, typename Context>
void FlattenKernel(const Context& dev_ctx, const DenseTensor& x, int start_axis, int stop_axis, DenseTensor* out) {
  detail::CopyElements<T>(dev_ctx, x, out);
}

template <typename T, typename Context>
void FlattenGradKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, DenseTensor* x_grad) {
  detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
}

}  // namespace phi
