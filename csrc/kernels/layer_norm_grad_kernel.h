// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// `mean` and `variance` are those of the forward kernel. An output is null when its gradient is not wanted.
template <typename T, typename Context>
void LayerNormGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& scale,
                         const paddle::optional<DenseTensor>& bias,
                         const DenseTensor& mean,
                         const DenseTensor& variance,
                         const DenseTensor& out_grad,
                         double epsilon,
                         int begin_norm_axis,
                         DenseTensor* x_grad,
                         DenseTensor* scale_grad,
                         DenseTensor* bias_grad);

}  // namespace phi
