// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/manipulation/take_along_axis.h"

namespace phi {

// The elements of each row of x at the indices in the same row of `index`.
template <typename T, typename Context>
void IndexSampleKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  primitive::WithIds(index, [&](const auto* ids) {
    funcs::TakeAlongAxis<funcs::IndexKind::kIndex>(dev_ctx, x, ids, index.dims(), 1, result);
  });
}

template <typename T, typename Context>
void IndexSampleGradKernel(const Context& dev_ctx,
                           const DenseTensor& x,
                           const DenseTensor& index,
                           const DenseTensor& out_grad,
                           DenseTensor* x_grad) {
  detail::SumTaken<T, funcs::IndexKind::kIndex>(dev_ctx, x, index, out_grad, 1, x_grad);
}

}  // namespace phi
