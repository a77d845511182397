// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/dense_tensor.h"

namespace phi {

// The tensors of x side by side along a new dimension at `axis`.
template <typename T, typename Context>
void StackKernel(const Context& dev_ctx, const std::vector<const DenseTensor*>& x, int axis, DenseTensor* out);

}  // namespace phi
