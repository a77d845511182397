// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

template <typename T, typename Context>
void FullLikeKernel(
    const Context& dev_ctx, const DenseTensor& x, const Scalar& value, DataType dtype, DenseTensor* out);

}  // namespace phi
