// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// param_out = param - learning_rate * grad, on master_param where there is one.
template <typename T, typename Context>
void SgdKernel(const Context& dev_ctx,
               const DenseTensor& param,
               const DenseTensor& learning_rate,
               const DenseTensor& grad,
               const paddle::optional<DenseTensor>& master_param,
               bool multi_precision,
               DenseTensor* param_out,
               DenseTensor* master_param_out);

}  // namespace phi
