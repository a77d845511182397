// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/gather.h"
#include "primitive/scatter.h"

namespace phi {

// The slices of x at `index` along `axis`; without that dimension for an index without dimensions.
template <typename T, typename Context>
void GatherKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, const Scalar& axis, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  GetPrimitive<primitive::Gather>(dev_ctx)(
      dev_ctx, primitive::TableAlong(x, static_cast<int>(axis.to<int64_t>())), index, x, out);
}

// Each slice of x_grad along `axis` is the sum of the slices of out_grad that it was taken for. Of x only the shape is
// read.
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
