// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"

namespace phi::primitive {

// out = x converted to another dtype, elementwise, as NumPy's astype. Both may have any strides, and x broadcasts;
// `out` has memory. The key is the dtype of x and that of `out`.
struct Cast {
  static constexpr const char* kName = "cast";
  using Key = std::tuple<DataType, DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, DenseTensor* out);
};

// `out`, which is allocated, = x as `dtype`, which may be that of x.
inline void CastTo(const DeviceContext& dev_ctx, const DenseTensor& x, DataType dtype, DenseTensor* out) {
  if (dtype == x.dtype()) return Copy(dev_ctx, x, out);
  const Cast::Fn cast = GetPrimitive<Cast>(dev_ctx, x.dtype(), dtype);
  dev_ctx.Alloc(out, dtype);
  if (out->numel() > 0) cast(dev_ctx, x, out);
}

// Whole numbers of any type as int64; `x` itself, whose memory it shares, if it is that.
inline DenseTensor ToInt64(const DeviceContext& dev_ctx, const DenseTensor& x) {
  if (x.dtype() == DataType::INT64) return x;
  DenseTensor out = EmptyTensor<int64_t>(dev_ctx, x.dims());
  CastTo(dev_ctx, x, DataType::INT64, &out);
  return out;
}

}  // namespace phi::primitive
