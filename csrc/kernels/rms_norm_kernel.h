// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// x, divided by the root of the mean square over its last dimensions `normalized_shape`, times `scale`. `invvar` is
// what it is multiplied by, 1 / sqrt(mean square + epsilon), and has the leading dimensions; it may be null.
template <typename T, typename Context>
void RmsNormKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const paddle::optional<DenseTensor>& scale,
                   const std::vector<int64_t>& normalized_shape,
                   double epsilon,
                   DenseTensor* y,
                   DenseTensor* invvar);

}  // namespace phi
