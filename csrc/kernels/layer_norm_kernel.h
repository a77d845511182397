// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// x is normalized over the dimensions from begin_norm_axis on, then scaled and shifted. `mean` and `variance` (biased)
// have the leading dimensions; they may be null.
template <typename T, typename Context>
void LayerNormKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const paddle::optional<DenseTensor>& scale,
                     const paddle::optional<DenseTensor>& bias,
                     double epsilon,
                     int begin_norm_axis,
                     DenseTensor* out,
                     DenseTensor* mean,
                     DenseTensor* variance);

}  // namespace phi
