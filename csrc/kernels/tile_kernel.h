// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// x, repeated along each axis; the shorter one of its shape and `repeat_times` is filled up with ones in front.
template <typename T, typename Context>
void TileKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& repeat_times, DenseTensor* out);

}  // namespace phi
