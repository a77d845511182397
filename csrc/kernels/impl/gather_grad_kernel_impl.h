// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/gather_grad_kernel.h"
#include "primitive/scatter.h"

namespace phi {

template <typename T, typename Context>
void GatherGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& index,
                      const DenseTensor& out_grad,
                      const Scalar& axis,
                      DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  GetPrimitive<primitive::ScatterSum>(dev_ctx, out_grad.dtype())(
      dev_ctx, primitive::TableAlong(x, static_cast<int>(axis.to<int64_t>())), index, out_grad, x_grad);
}

}  // namespace phi
