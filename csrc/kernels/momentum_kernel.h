// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// With g = rescale_grad * grad (+ regularization_coeff * param for "l2_decay"):
//   velocity_out = mu * velocity + g
//   param_out = param - learning_rate * (use_nesterov ? g + mu * velocity_out : velocity_out)
template <typename T, typename Context>
void MomentumKernel(const Context& dev_ctx,
                    const DenseTensor& param,
                    const DenseTensor& grad,
                    const DenseTensor& velocity,
                    const DenseTensor& learning_rate,
                    const paddle::optional<DenseTensor>& master_param,
                    float mu,
                    bool use_nesterov,
                    const std::string& regularization_method,
                    float regularization_coeff,
                    bool multi_precision,
                    float rescale_grad,
                    DenseTensor* param_out,
                    DenseTensor* velocity_out,
                    DenseTensor* master_param_out);

}  // namespace phi
