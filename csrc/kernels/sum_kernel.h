// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// The dtype of the sums is that of `out`.
template <typename T, typename Context>
void SumKernel(
    const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, DataType dtype, bool keepdim, DenseTensor* out);

}  // namespace phi
