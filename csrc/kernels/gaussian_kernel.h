// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

template <typename T, typename Context>
void GaussianKernel(
    const Context& dev_ctx, const IntArray& shape, float mean, float std, int seed, DataType dtype, DenseTensor* out);

}  // namespace phi
