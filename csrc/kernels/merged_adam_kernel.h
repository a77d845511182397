// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/optional.h"
#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// A step of AdamKernel for each parameter. `learning_rate` has one tensor for all of them or one for each.
template <typename T, typename Context>
void MergedAdamKernel(const Context& dev_ctx,
                      const std::vector<const DenseTensor*>& param,
                      const std::vector<const DenseTensor*>& grad,
                      const std::vector<const DenseTensor*>& learning_rate,
                      const std::vector<const DenseTensor*>& moment1,
                      const std::vector<const DenseTensor*>& moment2,
                      const paddle::optional<std::vector<const DenseTensor*>>& moment2_max,
                      const std::vector<const DenseTensor*>& beta1_pow,
                      const std::vector<const DenseTensor*>& beta2_pow,
                      const paddle::optional<std::vector<const DenseTensor*>>& master_param,
                      const Scalar& beta1,
                      const Scalar& beta2,
                      const Scalar& epsilon,
                      bool multi_precision,
                      bool use_global_beta_pow,
                      bool amsgrad,
                      std::vector<DenseTensor*> param_out,
                      std::vector<DenseTensor*> moment1_out,
                      std::vector<DenseTensor*> moment2_out,
                      std::vector<DenseTensor*> moment2_max_out,
                      std::vector<DenseTensor*> beta1_pow_out,
                      std::vector<DenseTensor*> beta2_pow_out,
                      std::vector<DenseTensor*> master_param_out);

}  // namespace phi
