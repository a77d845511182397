// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/channels_last.h"
#include "core/meta_tensor.h"
#include "infermeta/backward_linalg.h"

namespace phi {

template <class Dim>
void FusedConv2dAddActGradInferMeta(const MetaTensor<Dim>& input,
                                    const MetaTensor<Dim>& filter,
                                    const MetaTensor<Dim>& bias,
                                    const MetaTensor<Dim>& residual_data,
                                    MetaTensor<Dim>* input_grad,
                                    MetaTensor<Dim>* filter_grad,
                                    MetaTensor<Dim>* bias_grad,
                                    MetaTensor<Dim>* residual_data_grad) {
  ConvGradInferMeta(input, filter, input_grad, filter_grad);
  ContiguousGradInferMeta(bias, bias_grad);
  if (residual_data) SetImages(residual_data.dims(), residual_data.dtype(), input, residual_data_grad);
}

template <class Dim>
void FusedLayerNormGradInferMeta(const MetaTensor<Dim>& bias,
                                 const MetaTensor<Dim>& residual,
                                 const MetaTensor<Dim>& norm_weight,
                                 const MetaTensor<Dim>& norm_bias,
                                 const MetaTensor<Dim>& residual_out,
                                 MetaTensor<Dim>* x_grad,
                                 MetaTensor<Dim>* bias_grad,
                                 MetaTensor<Dim>* residual_grad,
                                 MetaTensor<Dim>* norm_weight_grad,
                                 MetaTensor<Dim>* norm_bias_grad) {
  ContiguousTernaryGradInferMeta(residual_out, bias, residual, x_grad, bias_grad, residual_grad);
  ContiguousBinaryGradInferMeta(norm_weight, norm_bias, norm_weight_grad, norm_bias_grad);
}

}  // namespace phi
