// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/row_places.h"
#include "primitive/copy_nd.h"
#include "primitive/scatter_rows.h"

namespace phi {

// x with the slices of add_value added to those at `index` along `axis`.
template <typename T, typename Context>
void IndexAddKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& index,
                    const DenseTensor& add_value,
                    int axis,
                    DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
  const primitive::LookupTable table = primitive::TableAlong(x, axis);
  const DenseTensor places = funcs::RowPlaces(dev_ctx, index, table);
  primitive::ScatterTo(dev_ctx, primitive::ScatterOp::kAdd, places, add_value, table.width, true, out);
}

// Of add_value only the shape is read. A null gradient is not computed.
template <typename T, typename Context>
void IndexAddGradKernel(const Context& dev_ctx,
                        const DenseTensor& index,
                        const DenseTensor&,
                        const DenseTensor& out_grad,
                        int axis,
                        DenseTensor* x_grad,
                        DenseTensor* add_value_grad) {
  if (x_grad) primitive::Copy(dev_ctx, out_grad, x_grad);
  if (add_value_grad) {
    dev_ctx.template Alloc<T>(add_value_grad);
    GetPrimitive<primitive::Gather>(dev_ctx)(
        dev_ctx, primitive::TableAlong(out_grad, axis), index, out_grad, add_value_grad);
  }
}

}  // namespace phi
