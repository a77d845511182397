// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// A copy of x without the dimensions of size 1 that `axis` names.
template <typename T, typename Context>
void SqueezeKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, DenseTensor* out);

// A copy of out_grad with the shape of x.
template <typename T, typename Context>
void SqueezeGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& out_grad,
                       const IntArray& axis,
                       DenseTensor* x_grad);

}  // namespace phi
