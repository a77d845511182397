// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

template <typename T, typename Context>
void FullKernel(const Context& dev_ctx, const IntArray& shape, const Scalar& value, DataType dtype, DenseTensor* out);

}  // namespace phi
