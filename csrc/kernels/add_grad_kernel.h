// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// Where the ranks differ, the lower-ranked input begins at dimension `axis` of the other; -1: both end together.
// A null gradient is not computed.
template <typename T, typename Context>
void AddGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& y,
                   const DenseTensor& out_grad,
                   int axis,
                   DenseTensor* x_grad,
                   DenseTensor* y_grad);

}  // namespace phi
