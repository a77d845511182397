// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/optimizer/momentum.h"

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
                          std::vector<DenseTensor*> master_param_out) {
  using C = primitive::ComputeType<T>;
  MomentumStep<C> step{C(0), C(mu), C(0), C(rescale_grad), use_nesterov, multi_precision};
  for (size_t i = 0; i < param.size(); ++i) {
    const bool decays = i < regularization_method.size() && regularization_method[i] == "l2_decay";
    step.l2_decay = decays ? regularization_coeff[i] : 0;
    UpdateMomentum<T>(dev_ctx,
                      step,
                      *param[i],
                      *grad[i],
                      *velocity[i],
                      funcs::TensorAt(learning_rate, i),
                      funcs::TensorAt(master_param, i),
                      param_out[i],
                      velocity_out[i],
                      funcs::OutputAt(master_param_out, i));
  }
}

}  // namespace phi
