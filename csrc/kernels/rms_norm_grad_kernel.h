// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// `invvar` is that of the forward kernel. An output is null when its gradient is not wanted.
template <typename T, typename Context>
void RmsNormGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const paddle::optional<DenseTensor>& scale,
                       const DenseTensor& invvar,
                       const DenseTensor& y_grad,
                       const std::vector<int64_t>& normalized_shape,
                       double epsilon,
                       DenseTensor* x_grad,
                       DenseTensor* scale_grad);

}  // namespace phi
