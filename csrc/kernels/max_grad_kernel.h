// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// The elements that are the maximum share its gradient equally.
template <typename T, typename Context>
void MaxGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& out,
                   const DenseTensor& out_grad,
                   const IntArray& axis,
                   bool keepdim,
                   bool reduce_all,
                   DenseTensor* x_grad);

}  // namespace phi
