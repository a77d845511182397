// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/constant_pad.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

template <typename T, typename Context>
void PadKernel(const Context& dev_ctx,
               const DenseTensor& x,
               const std::vector<int>& paddings,
               const Scalar& pad_value,
               DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) return;
  std::vector<int64_t> before(x.dims().size());
  for (size_t i = 0; i < before.size(); ++i) before[i] = paddings[2 * i];
  GetPrimitive<primitive::ConstantPad>(dev_ctx, x.dtype())(dev_ctx, x, before, pad_value, out);
}

// The part of out_grad where x was, of which only the shape is read.
template <typename T, typename Context>
void PadGradKernel(const Context& dev_ctx,
                   const DenseTensor&,
                   const DenseTensor& out_grad,
                   const std::vector<int>& paddings,
                   const Scalar&,
                   DenseTensor* x_grad) {
  int64_t offset = 0;
  for (int i = 0; i < x_grad->dims().size(); ++i) offset += paddings[2 * i] * out_grad.strides()[i];
  primitive::Copy(dev_ctx, primitive::ViewOf(out_grad, x_grad->dims(), out_grad.strides(), offset), x_grad);
}

}  // namespace phi
