// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/gaussian_kernel.h"
#include "primitive/memset.h"

namespace phi {

template <typename T, typename Context>
void GaussianInplaceKernel(
    const Context& dev_ctx, const DenseTensor&, float mean, float std, int seed, DenseTensor* out) {
  GaussianKernel<T, Context>(dev_ctx, IntArray(), mean, std, seed, out->dtype(), out);
}

// The numbers do not depend on x.
template <typename T, typename Context>
void GaussianInplaceGradKernel(const Context& dev_ctx, const DenseTensor&, float, float, int, DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  primitive::SetZero(dev_ctx, x_grad);
}

}  // namespace phi
