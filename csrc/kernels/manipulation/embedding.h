// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/gather.h"
#include "primitive/scatter.h"

namespace phi {

// Row x[i] of weight for each id; zeros where the id is padding_idx.
template <typename T, typename Context>
void EmbeddingKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, int64_t padding_idx, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  GetPrimitive<primitive::Gather>(dev_ctx)(
      dev_ctx, {"x", 1, weight.dims()[0], weight.dims()[1], /*wraps=*/false, padding_idx}, x, weight, out);
}

// Row i of weight_grad is the sum of the rows of out_grad where x is i, zero for padding_idx. Of weight only the shape
// is read. The result does not depend on the number of threads.
template <typename T, typename Context>
void EmbeddingGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const DenseTensor& weight,
                         const DenseTensor& out_grad,
                         int64_t padding_idx,
                         DenseTensor* weight_grad) {
  dev_ctx.template Alloc<T>(weight_grad);
  GetPrimitive<primitive::ScatterSum>(dev_ctx, out_grad.dtype())(
      dev_ctx, {"x", 1, weight.dims()[0], weight.dims()[1], /*wraps=*/false, padding_idx}, x, out_grad, weight_grad);
}

}  // namespace phi
