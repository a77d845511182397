// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// The slices of x at `index` along `axis`.
template <typename T, typename Context>
void IndexSelectKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, int axis, DenseTensor* out);

}  // namespace phi
