// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// out = x - log(sum(exp(x), axis))
template <typename T, typename Context>
void LogSoftmaxKernel(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out);

}  // namespace phi
