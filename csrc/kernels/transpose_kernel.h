// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/dense_tensor.h"

namespace phi {

// Dimension i of out is dimension perm[i] of x.
template <typename T, typename Context>
void TransposeKernel(const Context& dev_ctx, const DenseTensor& x, const std::vector<int>& perm, DenseTensor* out);

}  // namespace phi
