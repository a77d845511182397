// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/embedding_kernel.h"
#include "primitive/gather.h"

namespace phi {

template <typename T, typename Context>
void EmbeddingKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, int64_t padding_idx, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  GetPrimitive<primitive::Gather>(dev_ctx)(
      dev_ctx, {"x", 1, weight.dims()[0], weight.dims()[1], /*wraps=*/false, padding_idx}, x, weight, out);
}

}  // namespace phi
