// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// x, broadcast to the shape of out, which is `shape` with the dimensions of x for -1.
template <typename T, typename Context>
void ExpandKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& shape, DenseTensor* out);

}  // namespace phi
