// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// beta1_pow and beta2_pow hold beta1^t and beta2^t of this step t; their outputs those of the next step.
//   moment1_out = beta1 * moment1 + (1 - beta1) * grad
//   moment2_out = beta2 * moment2 + (1 - beta2) * grad^2
//   param_out = param - learning_rate / (1 - beta1_pow) * moment1_out / (sqrt(m / (1 - beta2_pow)) + epsilon)
// where m is moment2_out, with amsgrad max(moment2_max, moment2_out). lazy_mode and
// min_row_size_to_use_multithread are for sparse gradients.
template <typename T, typename Context>
void AdamKernel(const Context& dev_ctx,
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
                DenseTensor* master_param_out);

}  // namespace phi
