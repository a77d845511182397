// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// Allocates `out`, whose elements are whatever the memory holds.
template <typename T, typename Context>
void EmptyKernel(const Context& dev_ctx, const IntArray& shape, DataType dtype, DenseTensor* out);

}  // namespace phi
