// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/topk_grad_kernel.h"
#include "primitive/sort.h"

namespace phi {

// Always stable. NaN counts as the largest number.
template <typename T, typename Context>
void ArgsortKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   int axis,
                   bool descending,
                   bool,
                   DenseTensor* out,
                   DenseTensor* indices) {
  dev_ctx.template Alloc<T>(out);
  dev_ctx.template Alloc<int64_t>(indices);
  if (x.numel() == 0) return;
  const primitive::AxisShape shape(x.dims(), axis);
  GetPrimitive<primitive::Sort>(dev_ctx, x.dtype())(dev_ctx, x, shape, descending, out, indices);
}

// out_grad at the places that the elements had.
template <typename T, typename Context>
void ArgsortGradKernel(const Context& dev_ctx,
                       const DenseTensor& indices,
                       const DenseTensor& x,
                       const DenseTensor& out_grad,
                       int axis,
                       bool descending,
                       bool,
                       DenseTensor* x_grad) {
  TopkGradKernel<T, Context>(dev_ctx, x, indices, out_grad, Scalar(1), axis, descending, true, x_grad);
}

}  // namespace phi
