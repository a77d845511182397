// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/assign_part.h"
#include "kernels/funcs/broadcast_grad.h"

namespace phi {

// x with `values` in a part of it.
template <typename T, typename Context>
void SetValueWithTensorKernel(const Context& dev_ctx,
                              const DenseTensor& x,
                              const DenseTensor& values,
                              const IntArray& starts,
                              const IntArray& ends,
                              const IntArray& steps,
                              const std::vector<int64_t>& axes,
                              const std::vector<int64_t>& decrease_axes,
                              const std::vector<int64_t>& none_axes,
                              DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
  const auto at = MakeAssignedPart(x.dims(), starts, ends, steps, axes, decrease_axes, none_axes);
  funcs::AssignPart<T>(dev_ctx, at, values, out);
}

// out_grad without the part, and the part of it. Of values only the shape is read. A null gradient is not computed.
template <typename T, typename Context>
void SetValueWithTensorGradKernel(const Context& dev_ctx,
                                  const DenseTensor& values,
                                  const DenseTensor& out_grad,
                                  const IntArray& starts,
                                  const IntArray& ends,
                                  const IntArray& steps,
                                  const std::vector<int64_t>& axes,
                                  const std::vector<int64_t>& decrease_axes,
                                  const std::vector<int64_t>& none_axes,
                                  DenseTensor* x_grad,
                                  DenseTensor* values_grad) {
  const auto at = MakeAssignedPart(out_grad.dims(), starts, ends, steps, axes, decrease_axes, none_axes);
  if (x_grad) funcs::ClearPart<T>(dev_ctx, at.part, out_grad, x_grad);
  if (values_grad == nullptr) return;
  DenseTensor part = funcs::TakePart<T>(dev_ctx, at, out_grad);
  DDim dims = values.dims();  // with as many dimensions as the part
  if (dims.size() > at.dims.size()) {
    dims = slice_ddim(dims, dims.size() - at.dims.size(), dims.size());
  } else {
    dims = funcs::AlignAtAxis(values, at.dims.size(), -1).dims();
  }
  dev_ctx.template Alloc<T>(values_grad);
  DenseTensor sum = primitive::ViewOf(*values_grad, dims);
  funcs::SumBroadcast(dev_ctx, part, dims, part.dtype(), &sum);
}

}  // namespace phi
