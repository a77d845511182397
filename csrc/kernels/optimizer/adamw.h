// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/optimizer/adam.h"

namespace phi {

// A step of AdamKernel at the rate learning_rate * lr_ratio, after
//   param = param * (1 - learning_rate * lr_ratio * coeff)
// if `with_decay`.
template <typename T, typename Context>
void AdamwKernel(const Context& dev_ctx,
                 const DenseTensor& param,
                 const DenseTensor& grad,
                 const DenseTensor& learning_rate,
                 const DenseTensor& moment1,
                 const DenseTensor& moment2,
                 const paddle::optional<DenseTensor>& moment2_max,
                 const DenseTensor& beta1_pow,
                 const DenseTensor& beta2_pow,
                 const paddle::optional<DenseTensor>& master_param,
                 const paddle::optional<DenseTensor>& skip_update,
                 const Scalar& beta1,
                 const Scalar& beta2,
                 const Scalar& epsilon,
                 float lr_ratio,
                 float coeff,
                 bool with_decay,
                 bool lazy_mode,
                 int64_t min_row_size_to_use_multithread,
                 bool multi_precision,
                 bool use_global_beta_pow,
                 bool amsgrad,
                 DenseTensor* param_out,
                 DenseTensor* moment1_out,
                 DenseTensor* moment2_out,
                 DenseTensor* moment2_max_out,
                 DenseTensor* beta1_pow_out,
                 DenseTensor* beta2_pow_out,
                 DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  UpdateAdam<T>(
      dev_ctx,
      {beta1.to<C>(), beta2.to<C>(), epsilon.to<C>(), amsgrad, multi_precision, lr_ratio, with_decay ? coeff : 0.0},
      beta1,
      beta2,
      use_global_beta_pow,
      skip_update ? skip_update->data<bool>() : nullptr,
      {param,
       grad,
       learning_rate,
       moment1,
       moment2,
       moment2_max.get_ptr(),
       beta1_pow,
       beta2_pow,
       master_param.get_ptr()},
      {param_out, moment1_out, moment2_out, moment2_max_out, beta1_pow_out, beta2_pow_out, master_param_out});
}

}  // namespace phi
