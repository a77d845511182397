// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

// out = x, of one dtype and both with any strides: so also a part of a tensor, or to a part of one. x broadcasts to the
// shape of `out`, which has elements and memory.
struct CopyNd {
  static constexpr const char* kName = "copy_nd";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, DenseTensor* out);
};

// The same; `out` is allocated.
inline void Copy(const DeviceContext& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  dev_ctx.Alloc(out, x.dtype());
  if (out->numel() > 0) GetPrimitive<CopyNd>(dev_ctx, x.dtype())(dev_ctx, x, out);
}

}  // namespace phi::primitive
