// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/nd_places.h"
#include "primitive/copy_nd.h"
#include "primitive/scatter_rows.h"

namespace phi {

// x with the slices of `updates` added where the last dimension of `index` has their first coordinates.
template <typename T, typename Context>
void ScatterNdAddKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& index,
                        const DenseTensor& updates,
                        DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
  const funcs::NdPlaces at(dev_ctx, index, x.dims());
  primitive::ScatterTo(dev_ctx, primitive::ScatterOp::kAdd, at.places, updates, at.table.width, true, out);
}

// Of `updates` only the shape is read. A null gradient is not computed.
template <typename T, typename Context>
void ScatterNdAddGradKernel(const Context& dev_ctx,
                            const DenseTensor& index,
                            const DenseTensor&,
                            const DenseTensor& out_grad,
                            DenseTensor* x_grad,
                            DenseTensor* updates_grad) {
  if (x_grad) primitive::Copy(dev_ctx, out_grad, x_grad);
  if (updates_grad) {
    dev_ctx.template Alloc<T>(updates_grad);
    const funcs::NdPlaces at(dev_ctx, index, out_grad.dims());
    GetPrimitive<primitive::Gather>(dev_ctx)(dev_ctx, at.table, at.places, out_grad, updates_grad);
  }
}

}  // namespace phi
