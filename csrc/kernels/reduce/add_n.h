// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/add.h"
#include "primitive/copy_nd.h"

namespace phi {

template <typename T, typename Context>
void AddNKernel(const Context& dev_ctx, const std::vector<const DenseTensor*>& inputs, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  if (out->numel() > 0) GetPrimitive<primitive::Add>(dev_ctx, out->dtype())(dev_ctx, inputs, out);
}

template <typename T, typename Context>
void AddNGradKernel(const Context& dev_ctx,
                    const std::vector<const DenseTensor*>&,
                    const DenseTensor& out_grad,
                    std::vector<DenseTensor*> inputs_grad) {
  for (DenseTensor* grad : inputs_grad) {
    if (grad) primitive::Copy(dev_ctx, out_grad, grad);
  }
}

}  // namespace phi
