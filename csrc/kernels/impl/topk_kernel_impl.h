// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/topk_kernel.h"
#include "primitive/topk.h"

namespace phi {

template <typename T, typename Context>
void TopkKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const Scalar& k,
                int axis,
                bool largest,
                bool sorted,
                DenseTensor* out,
                DenseTensor* indices) {
  dev_ctx.template Alloc<T>(out);
  dev_ctx.template Alloc<int64_t>(indices);
  if (out->numel() == 0) return;
  const auto select = GetPrimitive<primitive::TopK>(dev_ctx, x.dtype());
  select(dev_ctx, x, funcs::AxisShape(x.dims(), axis), k.to<int64_t>(), largest, sorted, out, indices);
}

}  // namespace phi
