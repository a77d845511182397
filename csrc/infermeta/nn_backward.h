// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/backward_linalg.h"

namespace phi {

template <class Dim>
void BatchNormGradInferMeta(const MetaTensor<Dim>& x,
                            const MetaTensor<Dim>& scale,
                            const MetaTensor<Dim>& bias,
                            const MetaTensor<Dim>& mean_out,
                            const MetaTensor<Dim>& variance_out,
                            bool is_test,
                            bool use_global_stats,
                            bool trainable_statistics,
                            MetaTensor<Dim>* x_grad,
                            MetaTensor<Dim>* scale_grad,
                            MetaTensor<Dim>* bias_grad) {
  const bool global = use_global_stats || (is_test && !trainable_statistics);
  PADDLE_ENFORCE(!global || (mean_out && variance_out),
                 errors::InvalidArgument("arguments 'mean_out' and 'variance_out': expected tensors, as the running "
                                         "statistics were used, got None"));
  ContiguousTernaryGradInferMeta(x, scale, bias, x_grad, scale_grad, bias_grad);
}

}  // namespace phi
