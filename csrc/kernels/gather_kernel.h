// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// The slices of x at `index` along `axis`; without that dimension for an index without dimensions.
template <typename T, typename Context>
void GatherKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, const Scalar& axis, DenseTensor* out);

}  // namespace phi
