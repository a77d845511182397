// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/dense_tensor.h"

namespace phi {

// `perm` is that of the forward op.
template <typename T, typename Context>
void TransposeGradKernel(const Context& dev_ctx,
                         const DenseTensor& out_grad,
                         const std::vector<int>& perm,
                         DenseTensor* x_grad);

}  // namespace phi
