// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// x_grad = out_grad - exp(out) * sum(out_grad, axis)
template <typename T, typename Context>
void LogSoftmaxGradKernel(
    const Context& dev_ctx, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad);

}  // namespace phi
