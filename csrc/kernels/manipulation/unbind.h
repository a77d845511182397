// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/manipulation/stack.h"

namespace phi {

// Copies of the slices of input along `axis`, without that dimension.
template <typename T, typename Context>
void UnbindKernel(const Context& dev_ctx, const DenseTensor& input, int axis, std::vector<DenseTensor*> out) {
  StackGradKernel<T, Context>(dev_ctx, input, axis, out);
}

}  // namespace phi
