// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// Normalizes each channel of x: with the statistics of the batch, or with the running ones when testing.
// saved_mean and saved_variance (1 / sqrt(variance + epsilon)) are those of the batch, zero otherwise.
// `momentum` is what the running statistics keep; mean_out and variance_out may be mean and variance.
template <typename T, typename Context>
void BatchNormKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& mean,
                     const DenseTensor& variance,
                     const paddle::optional<DenseTensor>& scale,
                     const paddle::optional<DenseTensor>& bias,
                     bool is_test,
                     double momentum,
                     double epsilon,
                     const std::string& data_format,
                     bool use_global_stats,
                     bool trainable_statistics,
                     DenseTensor* out,
                     DenseTensor* mean_out,
                     DenseTensor* variance_out,
                     DenseTensor* saved_mean,
                     DenseTensor* saved_variance,
                     DenseTensor* reserve_space);

// Whether x is normalized with the running statistics.
inline bool UsesGlobalStats(bool is_test, bool use_global_stats, bool trainable_statistics) {
  return use_global_stats || (is_test && !trainable_statistics);
}

}  // namespace phi
