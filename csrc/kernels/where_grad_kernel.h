// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// A null gradient is not computed.
template <typename T, typename Context>
void WhereGradKernel(const Context& dev_ctx,
                     const DenseTensor& condition,
                     const DenseTensor& x,
                     const DenseTensor& y,
                     const DenseTensor& out_grad,
                     DenseTensor* x_grad,
                     DenseTensor* y_grad);

}  // namespace phi
