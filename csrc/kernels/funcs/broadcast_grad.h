// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"
#include "primitive/reduce.h"

// Gradients of inputs that broadcast.
namespace phi::funcs {

// The tensor seen with `rank` dimensions, its own beginning at `axis`: ones stand before and after them. With axis = -1
// its last dimension stays the last one.
inline DenseTensor AlignAtAxis(const DenseTensor& tensor, int rank, int axis) {
  const int own = tensor.dims().size();
  const int before = axis == -1 ? rank - own : axis;
  PADDLE_ENFORCE(before >= 0 && before + own <= rank,
                 errors::InvalidArgument("argument 'axis': expected -1 or a value in [0, %d], got %d", rank - own, axis));
  DenseTensorMeta meta = tensor.meta();
  meta.dims = meta.strides = DDim(rank, 1);
  for (int i = 0; i < own; ++i) {
    meta.dims[before + i] = tensor.dims()[i];
    meta.strides[before + i] = tensor.strides()[i];
  }
  DenseTensor aligned = tensor;
  aligned.set_meta(meta);
  return aligned;
}

// out = grad summed over the dimensions in which `out`, of shape `aligned` if ones are added, was broadcast.
template <typename T, typename OutT, typename Context>
void SumBroadcast(const Context& dev_ctx, const DenseTensor& grad, const DDim& aligned, DenseTensor* out) {
  std::vector<int> axes;
  for (int i = 0; i < aligned.size(); ++i) {
    if (aligned[i] != grad.dims()[i]) axes.push_back(i);
  }
  DenseTensor contiguous;
  if (!grad.is_contiguous()) {
    contiguous.Resize(grad.dims());
    primitive::Copy(dev_ctx, grad, &contiguous);
  }
  const DenseTensor& x = grad.is_contiguous() ? grad : contiguous;
  if (out->is_contiguous()) return primitive::Reduce<T, OutT, primitive::SumOp>(dev_ctx, x, axes, out);
  DenseTensor sum;
  sum.Resize(out->dims());
  primitive::Reduce<T, OutT, primitive::SumOp>(dev_ctx, x, axes, &sum);
  primitive::Copy(dev_ctx, sum, out);
}

}  // namespace phi::funcs
