// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

template <typename T, typename Context>
void MaxKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, bool keepdim, DenseTensor* out);

}  // namespace phi
