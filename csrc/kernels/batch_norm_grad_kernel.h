// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// saved_mean and saved_variance are those of the forward kernel; with running statistics, mean_out and variance_out
// are read instead. An output is null when its gradient is not wanted.
template <typename T, typename Context>
void BatchNormGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& scale,
                         const paddle::optional<DenseTensor>& bias,
                         const paddle::optional<DenseTensor>& mean_out,
                         const paddle::optional<DenseTensor>& variance_out,
                         const DenseTensor& saved_mean,
                         const DenseTensor& saved_variance,
                         const paddle::optional<DenseTensor>& reserve_space,
                         const DenseTensor& out_grad,
                         double momentum,
                         double epsilon,
                         const std::string& data_format,
                         bool is_test,
                         bool use_global_stats,
                         bool trainable_statistics,
                         DenseTensor* x_grad,
                         DenseTensor* scale_grad,
                         DenseTensor* bias_grad);

}  // namespace phi
