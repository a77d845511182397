// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// start + i * step for each element i of `out`.
template <typename T, typename Context>
void ArangeKernel(const Context& dev_ctx, const Scalar& start, const Scalar& end, const Scalar& step, DenseTensor* out);

}  // namespace phi
