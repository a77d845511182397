// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

template <typename T, typename Context>
void WhereKernel(
    const Context& dev_ctx, const DenseTensor& condition, const DenseTensor& x, const DenseTensor& y, DenseTensor* out);

}  // namespace phi
