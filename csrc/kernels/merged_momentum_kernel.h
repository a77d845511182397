// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// A step of MomentumKernel for each parameter. `learning_rate` has one tensor for all of them or one for each; the
// regularizations are empty or have one for each.
template <typename T, typename Context>
void MergedMomentumKernel(const Context& dev_ctx,
                          const std::vector<const DenseTensor*>& param,
                          const std::vector<const DenseTensor*>& grad,
                          const std::vector<const DenseTensor*>& velocity,
                          const std::vector<const DenseTensor*>& learning_rate,
                          const paddle::optional<std::vector<const DenseTensor*>>& master_param,
                          float mu,
                          bool use_nesterov,
                          const std::vector<std::string>& regularization_method,
                          const std::vector<float>& regularization_coeff,
                          bool multi_precision,
                          float rescale_grad,
                          std::vector<DenseTensor*> param_out,
                          std::vector<DenseTensor*> velocity_out,
                          std::vector<DenseTensor*> master_param_out);

}  // namespace phi
