// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/put_places.h"
#include "primitive/fill.h"
#include "primitive/gather.h"
#include "primitive/scatter_rows.h"

namespace phi {

// x with `value` put at `indices`, or added there. The last of several values for one place stays.
template <typename T, typename Context>
void IndexPutKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const std::vector<const DenseTensor*>& indices,
                    const DenseTensor& value,
                    bool accumulate,
                    DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
  const funcs::PutPlaces at(dev_ctx, indices, x.dims());
  at.CheckValue(value.dims());
  DenseTensor whole;
  whole.Resize(at.values);
  primitive::Copy(dev_ctx, value, &whole);
  const auto op = accumulate ? primitive::ScatterOp::kAdd : primitive::ScatterOp::kAssign;
  primitive::ScatterTo(dev_ctx, op, at.places, whole, at.width, true, out);
}

// Of x and value only the shapes are read. A null gradient is not computed.
template <typename T, typename Context>
void IndexPutGradKernel(const Context& dev_ctx,
                        const DenseTensor&,
                        const std::vector<const DenseTensor*>& indices,
                        const DenseTensor& value,
                        const DenseTensor& out_grad,
                        bool accumulate,
                        DenseTensor* x_grad,
                        DenseTensor* value_grad) {
  const funcs::PutPlaces at(dev_ctx, indices, out_grad.dims());
  at.CheckValue(value.dims());
  if (x_grad) {
    primitive::Copy(dev_ctx, out_grad, x_grad);
    if (!accumulate) {
      DenseTensor zeros = primitive::EmptyTensor<T>(dev_ctx, at.values);
      if (zeros.numel() > 0) primitive::FillWith(dev_ctx, 0, &zeros);
      primitive::ScatterTo(dev_ctx, primitive::ScatterOp::kAssign, at.places, zeros, at.width, true, x_grad);
    }
  }
  if (value_grad) {
    DenseTensor taken = primitive::EmptyTensor<T>(dev_ctx, at.values);
    if (taken.numel() > 0) {  // rows of no elements have no number
      const primitive::LookupTable table{"indices", 1, out_grad.numel() / at.width, at.width};
      GetPrimitive<primitive::Gather>(dev_ctx)(dev_ctx, table, at.places, out_grad, &taken);
    }
    funcs::SumBroadcast(
        dev_ctx, taken, funcs::AlignAtAxis(value, at.values.size(), -1).dims(), taken.dtype(), value_grad);
  }
}

}  // namespace phi
