// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/embedding_grad_kernel.h"
#include "primitive/scatter.h"

namespace phi {

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
