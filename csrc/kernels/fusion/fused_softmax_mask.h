// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/softmax_of.h"
#include "kernels/math/add.h"
#include "primitive/elementwise.h"

namespace phi {

// out = softmax(x + mask) along the last dimension; the mask broadcasts over the heads.
template <typename T, typename Context>
void FusedSoftmaxMaskKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& mask, DenseTensor* out) {
  using Compute = primitive::ComputeType<T>;
  funcs::SoftmaxOf<T>(dev_ctx, -1, out, [&](DenseTensor* scores) {
    primitive::ElementwiseBinary<T, Compute>(dev_ctx, x, mask, scores, AddFunctor());
  });
}

template <typename T, typename Context>
void FusedSoftmaxMaskGradKernel(const Context& dev_ctx,
                                const DenseTensor& out,
                                const DenseTensor& out_grad,
                                DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  if (out.numel() > 0) GetPrimitive<primitive::SoftmaxGrad>(dev_ctx, out.dtype())(dev_ctx, out, out_grad, -1, x_grad);
}

}  // namespace phi
