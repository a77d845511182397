// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/softmax.h"

namespace phi {

template <typename T, typename Context>
void SoftmaxKernel(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  if (x.numel() > 0) GetPrimitive<primitive::Softmax>(dev_ctx, x.dtype())(dev_ctx, x, axis, out);
}

template <typename T, typename Context>
void SoftmaxGradKernel(
    const Context& dev_ctx, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  if (out.numel() > 0) GetPrimitive<primitive::SoftmaxGrad>(dev_ctx, out.dtype())(dev_ctx, out, out_grad, axis, x_grad);
}

}  // namespace phi
