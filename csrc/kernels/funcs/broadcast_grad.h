// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

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

// out = grad summed over the dimensions in which `out`, of shape `aligned` if ones are added, was broadcast.
// Compiled once for each device, for the types of gradients; OutT is T, or T is float and OutT a half type.
template <typename T, typename OutT, typename Context>
void SumBroadcast(const Context& dev_ctx, const DenseTensor& grad, const DDim& aligned, DenseTensor* out);

}  // namespace phi::funcs
