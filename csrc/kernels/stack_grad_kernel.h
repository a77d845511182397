// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/dense_tensor.h"

namespace phi {

// The slices of out_grad along `axis`; a null x_grad is left out.
template <typename T, typename Context>
void StackGradKernel(const Context& dev_ctx, const DenseTensor& out_grad, int axis, std::vector<DenseTensor*> x_grad);

}  // namespace phi
