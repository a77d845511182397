// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/nd_places.h"
#include "primitive/scatter.h"

namespace phi {

// The slices of x whose first coordinates the last dimension of `index` has.
template <typename T, typename Context>
void GatherNdKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  const funcs::NdPlaces at(dev_ctx, index, x.dims());
  GetPrimitive<primitive::Gather>(dev_ctx)(dev_ctx, at.table, at.places, x, out);
}

// Each slice is the sum of the slices of out_grad that it was taken for. Of x only the shape is read.
template <typename T, typename Context>
void GatherNdGradKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& index,
                        const DenseTensor& out_grad,
                        DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  const funcs::NdPlaces at(dev_ctx, index, x.dims());
  GetPrimitive<primitive::ScatterSum>(dev_ctx, out_grad.dtype())(dev_ctx, at.table, at.places, out_grad, x_grad);
}

}  // namespace phi
