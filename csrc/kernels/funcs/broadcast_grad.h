// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/reduction.h"

// Gradients of inputs that broadcast.
namespace phi::funcs {

// The tensor seen with `rank` dimensions, its own beginning at `axis`: ones stand before and after them. With axis = -1
// its last dimension stays the last one.
inline DenseTensor AlignAtAxis(const DenseTensor& tensor, int rank, int axis) {
  const int own = tensor.dims().size();
  if (own == rank) return tensor;
  const int before = axis == -1 ? rank - own : axis;
  PADDLE_ENFORCE(
      before >= 0 && before + own <= rank,
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

// out = grad summed over the dimensions in which `out`, of shape `aligned` if ones are added, was broadcast. It gets
// the data type `dtype`: that of grad, or a half type for sums in float.
inline void SumBroadcast(
    const DeviceContext& dev_ctx, const DenseTensor& grad, const DDim& aligned, DataType dtype, DenseTensor* out) {
  if (!out->is_contiguous()) {
    DenseTensor sum;
    sum.Resize(out->dims());
    SumBroadcast(dev_ctx, grad, aligned, dtype, &sum);
    return primitive::Copy(dev_ctx, sum, out);
  }
  if (aligned == grad.dims() && dtype == grad.dtype()) {  // only ones were added
    dev_ctx.Alloc(out, dtype);
    DenseTensor view = primitive::ViewOf(*out, aligned);
    return primitive::Copy(dev_ctx, grad, &view);
  }
  primitive::AxisSet axes;
  for (int i = 0; i < aligned.size(); ++i) {
    if (aligned[i] == 1) axes.Add(i);
  }
  if (grad.is_contiguous()) return primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, grad, axes, dtype, out);
  DDim once = grad.dims();  // it may repeat, as the gradient of a sum does, what is then summed only once
  DDim sums = aligned;
  for (int i = 0; i < once.size(); ++i) {
    if (grad.strides()[i] == 0 && aligned[i] != 1) once[i] = sums[i] = 1;
  }
  DenseTensor contiguous;
  contiguous.Resize(once);
  primitive::Copy(dev_ctx, primitive::ViewOf(grad, once, grad.strides()), &contiguous);
  if (once == grad.dims()) {
    return primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, contiguous, axes, dtype, out);
  }
  DenseTensor sum;
  sum.Resize(sums);
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, contiguous, axes, dtype, &sum);
  dev_ctx.Alloc(out, dtype);
  DenseTensor view = primitive::ViewOf(*out, aligned);
  primitive::Copy(dev_ctx, sum, &view);
}

}  // namespace phi::funcs
