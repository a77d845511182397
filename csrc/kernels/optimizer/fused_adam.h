// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/optimizer/merged_adam.h"

namespace phi {

// A step of Adam for each parameter, or of AdamW with `weight_decay`. `chunk_size` is how a kernel may cut the tensors.
template <typename T, typename Context>
void FusedAdamKernel(const Context& dev_ctx,
                     const std::vector<const DenseTensor*>& params,
                     const std::vector<const DenseTensor*>& grads,
                     const DenseTensor& learning_rate,
                     const std::vector<const DenseTensor*>& moments1,
                     const std::vector<const DenseTensor*>& moments2,
                     const paddle::optional<std::vector<const DenseTensor*>>& moments2_max,
                     const std::vector<const DenseTensor*>& beta1_pows,
                     const std::vector<const DenseTensor*>& beta2_pows,
                     const paddle::optional<std::vector<const DenseTensor*>>& master_params,
                     const paddle::optional<DenseTensor>& skip_update,
                     const Scalar& beta1,
                     const Scalar& beta2,
                     const Scalar& epsilon,
                     int chunk_size,
                     float weight_decay,
                     bool use_adamw,
                     bool multi_precision,
                     bool use_global_beta_pow,
                     bool amsgrad,
                     std::vector<DenseTensor*> params_out,
                     std::vector<DenseTensor*> moments1_out,
                     std::vector<DenseTensor*> moments2_out,
                     std::vector<DenseTensor*> moments2_max_out,
                     std::vector<DenseTensor*> beta1_pows_out,
                     std::vector<DenseTensor*> beta2_pows_out,
                     std::vector<DenseTensor*> master_params_out) {
  using C = primitive::ComputeType<T>;
  AdamStep<C> step{beta1.to<C>(), beta2.to<C>(), epsilon.to<C>(), amsgrad, multi_precision};
  if (use_adamw) step.coeff = weight_decay;
  UpdateAdamOfEach<T>(dev_ctx,
                      step,
                      beta1,
                      beta2,
                      use_global_beta_pow,
                      skip_update ? skip_update->data<bool>() : nullptr,
                      params,
                      grads,
                      {&learning_rate},
                      moments1,
                      moments2,
                      moments2_max,
                      beta1_pows,
                      beta2_pows,
                      master_params,
                      params_out,
                      moments1_out,
                      moments2_out,
                      moments2_max_out,
                      beta1_pows_out,
                      beta2_pows_out,
                      master_params_out);
}

}  // namespace phi
