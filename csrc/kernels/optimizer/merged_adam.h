// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/optimizer/adam.h"

namespace phi {

// A step of Adam for each parameter. `learning_rate` has one tensor for all of them or one for each; `skip_update` may
// be null.
template <typename T, typename Context>
void UpdateAdamOfEach(const Context& dev_ctx,
                      const AdamStep<primitive::ComputeType<T>>& step,
                      const Scalar& beta1,
                      const Scalar& beta2,
                      bool use_global_beta_pow,
                      const bool* skip_update,
                      const std::vector<const DenseTensor*>& param,
                      const std::vector<const DenseTensor*>& grad,
                      const std::vector<const DenseTensor*>& learning_rate,
                      const std::vector<const DenseTensor*>& moment1,
                      const std::vector<const DenseTensor*>& moment2,
                      const paddle::optional<std::vector<const DenseTensor*>>& moment2_max,
                      const std::vector<const DenseTensor*>& beta1_pow,
                      const std::vector<const DenseTensor*>& beta2_pow,
                      const paddle::optional<std::vector<const DenseTensor*>>& master_param,
                      const std::vector<DenseTensor*>& param_out,
                      const std::vector<DenseTensor*>& moment1_out,
                      const std::vector<DenseTensor*>& moment2_out,
                      const std::vector<DenseTensor*>& moment2_max_out,
                      const std::vector<DenseTensor*>& beta1_pow_out,
                      const std::vector<DenseTensor*>& beta2_pow_out,
                      const std::vector<DenseTensor*>& master_param_out) {
  for (size_t i = 0; i < param.size(); ++i) {
    UpdateAdam<T>(dev_ctx,
                  step,
                  beta1,
                  beta2,
                  use_global_beta_pow,
                  skip_update,
                  {*param[i],
                   *grad[i],
                   funcs::TensorAt(learning_rate, i),
                   *moment1[i],
                   *moment2[i],
                   funcs::TensorAt(moment2_max, i),
                   *beta1_pow[i],
                   *beta2_pow[i],
                   funcs::TensorAt(master_param, i)},
                  {param_out[i],
                   moment1_out[i],
                   moment2_out[i],
                   funcs::OutputAt(moment2_max_out, i),
                   beta1_pow_out[i],
                   beta2_pow_out[i],
                   funcs::OutputAt(master_param_out, i)});
  }
}

// A step of AdamKernel for each parameter.
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
                      std::vector<DenseTensor*> master_param_out) {
  using C = primitive::ComputeType<T>;
  const AdamStep<C> step{beta1.to<C>(), beta2.to<C>(), epsilon.to<C>(), amsgrad, multi_precision};
  UpdateAdamOfEach<T>(dev_ctx,
                      step,
                      beta1,
                      beta2,
                      use_global_beta_pow,
                      nullptr,
                      param,
                      grad,
                      learning_rate,
                      moment1,
                      moment2,
                      moment2_max,
                      beta1_pow,
                      beta2_pow,
                      master_param,
                      param_out,
                      moment1_out,
                      moment2_out,
                      moment2_max_out,
                      beta1_pow_out,
                      beta2_pow_out,
                      master_param_out);
}

}  // namespace phi
