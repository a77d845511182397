// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

template <typename T, typename Context>
void SumGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& out_grad,
                   const IntArray& axis,
                   bool keepdim,
                   bool reduce_all,
                   DenseTensor* x_grad);

}  // namespace phi
