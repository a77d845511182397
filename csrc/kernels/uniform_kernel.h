// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// Numbers in [min, max), or in (max, min] if min is above max.
template <typename T, typename Context>
void UniformKernel(const Context& dev_ctx,
                   const IntArray& shape,
                   DataType dtype,
                   const Scalar& min,
                   const Scalar& max,
                   int seed,
                   DenseTensor* out);

}  // namespace phi
