// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/row_places.h"
#include "primitive/copy_nd.h"
#include "primitive/fill.h"
#include "primitive/scatter_rows.h"

namespace phi {

// x with the rows at `index` replaced by those of `updates`: by the last one that has an index, or by the sum of them.
template <typename T, typename Context>
void ScatterKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& index,
                   const DenseTensor& updates,
                   bool overwrite,
                   DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
  const primitive::LookupTable table = primitive::TableAlong(x, 0);
  const DenseTensor places = funcs::RowPlaces(dev_ctx, index, table);
  const auto op = overwrite ? primitive::ScatterOp::kAssign : primitive::ScatterOp::kAdd;
  primitive::ScatterTo(dev_ctx, op, places, updates, table.width, overwrite, out);
}

// Of `updates` only the shape is read. A null gradient is not computed.
template <typename T, typename Context>
void ScatterGradKernel(const Context& dev_ctx,
                       const DenseTensor& index,
                       const DenseTensor&,
                       const DenseTensor& out_grad,
                       bool,
                       DenseTensor* x_grad,
                       DenseTensor* updates_grad) {
  const primitive::LookupTable table = primitive::TableAlong(out_grad, 0);
  if (x_grad) {
    primitive::Copy(dev_ctx, out_grad, x_grad);
    const DenseTensor places = funcs::RowPlaces(dev_ctx, index, table);
    DenseTensor zeros = primitive::EmptyTensor<T>(dev_ctx, {index.numel(), table.width});
    if (zeros.numel() > 0) primitive::FillWith(dev_ctx, 0, &zeros);
    primitive::ScatterTo(dev_ctx, primitive::ScatterOp::kAssign, places, zeros, table.width, true, x_grad);
  }
  if (updates_grad) {
    dev_ctx.template Alloc<T>(updates_grad);
    GetPrimitive<primitive::Gather>(dev_ctx)(dev_ctx, table, index, out_grad, updates_grad);
  }
}

}  // namespace phi
