// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// For each element of x a row of num_classes numbers, 1 at the element and else 0. T is the type of x, out is float32.
template <typename T, typename Context>
void OneHotKernel(const Context& dev_ctx, const DenseTensor& x, const Scalar& num_classes, DenseTensor* out);

}  // namespace phi
