// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// The k largest (or smallest) elements along `axis` and where they are. NaN counts as the largest number, and of equal
// elements the first come first. Without `sorted` the order is not said.
template <typename T, typename Context>
void TopkKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const Scalar& k,
                int axis,
                bool largest,
                bool sorted,
                DenseTensor* out,
                DenseTensor* indices);

}  // namespace phi
