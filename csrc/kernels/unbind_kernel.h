// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/dense_tensor.h"

namespace phi {

// Copies of the slices of input along `axis`, without that dimension.
template <typename T, typename Context>
void UnbindKernel(const Context& dev_ctx, const DenseTensor& input, int axis, std::vector<DenseTensor*> out);

}  // namespace phi
