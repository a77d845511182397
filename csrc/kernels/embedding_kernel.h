// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// Row x[i] of weight for each id; zeros where the id is padding_idx.
template <typename T, typename Context>
void EmbeddingKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, int64_t padding_idx, DenseTensor* out);

}  // namespace phi
