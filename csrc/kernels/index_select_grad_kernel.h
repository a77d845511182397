// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// Each slice of x_grad along `axis` is the sum of the slices of out_grad that it was taken for. Of x only the shape is
// read.
template <typename T, typename Context>
void IndexSelectGradKernel(const Context& dev_ctx,
                           const DenseTensor& x,
                           const DenseTensor& index,
                           const DenseTensor& out_grad,
                           int axis,
                           DenseTensor* x_grad);

}  // namespace phi
