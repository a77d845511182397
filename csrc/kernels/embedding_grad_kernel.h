// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// Row i of weight_grad is the sum of the rows of out_grad where x is i, zero for padding_idx. Of weight only the shape
// is read. The result does not depend on the number of threads.
template <typename T, typename Context>
void EmbeddingGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const DenseTensor& weight,
                         const DenseTensor& out_grad,
                         int64_t padding_idx,
                         DenseTensor* weight_grad);

}  // namespace phi
