// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/reduce/mean.h"

namespace phi {

template <typename T, typename Context>
void MeanAllKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  MeanKernel<T>(dev_ctx, x, {}, false, out);
}

template <typename T, typename Context>
void MeanAllGradKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, DenseTensor* x_grad) {
  MeanGradKernel<T>(dev_ctx, x, out_grad, {}, false, true, x_grad);
}

}  // namespace phi
