// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/strided_copy.h"

namespace phi {

// x in the other direction along each of `axis`.
template <typename T, typename Context>
void FlipKernel(const Context& dev_ctx, const DenseTensor& x, const std::vector<int>& axis, DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  if (x.numel() == 0) return;
  const DDim& dims = x.dims();
  funcs::StridedElements<const T> from{x.data<T>(), x.strides()};
  for (const int given : axis) {
    const int d = given < 0 ? given + dims.size() : given;
    from.Turn(d, dims[d]);
  }
  funcs::StridedCopy<T>(dev_ctx, dims, from, {result, out->strides()});
}

}  // namespace phi
