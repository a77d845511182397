// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/lookup.h"
#include "kernels/gather_grad_kernel.h"

namespace phi {

template <typename T, typename Context>
void GatherGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& index,
                      const DenseTensor& out_grad,
                      const Scalar& axis,
                      DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  funcs::SumLookups<T>(dev_ctx, funcs::TableAlong(x, static_cast<int>(axis.to<int64_t>())), index, out_grad, x_grad);
}

}  // namespace phi
