// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/list_size.h"
#include "infermeta/multiary_linalg.h"

// Optimizers of one parameter, and what loss scaling does to gradients.
namespace phi {

template <class Dim>
void AdagradInferMeta(const MetaTensor<Dim>& param,
                      const MetaTensor<Dim>& grad,
                      const MetaTensor<Dim>& moment,
                      const MetaTensor<Dim>& learning_rate,
                      const MetaTensor<Dim>& master_param,
                      bool multi_precision,
                      MetaTensor<Dim>* param_out,
                      MetaTensor<Dim>* moment_out,
                      MetaTensor<Dim>* master_param_out) {
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_out);
  InferOptimizerState("moment", param, moment, moment_out);
}

template <class Dim>
void RmspropInferMeta(const MetaTensor<Dim>& param,
                      const MetaTensor<Dim>& mean_square,
                      const MetaTensor<Dim>& grad,
                      const MetaTensor<Dim>& moment,
                      const MetaTensor<Dim>& learning_rate,
                      const MetaTensor<Dim>& mean_grad,
                      const MetaTensor<Dim>& master_param,
                      bool centered,
                      bool multi_precision,
                      MetaTensor<Dim>* param_out,
                      MetaTensor<Dim>* moment_out,
                      MetaTensor<Dim>* mean_square_out,
                      MetaTensor<Dim>* mean_grad_out,
                      MetaTensor<Dim>* master_param_outs) {
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_outs);
  PADDLE_ENFORCE(!centered || mean_grad,
                 errors::InvalidArgument("argument 'mean_grad' is required when centered is true"));
  CheckSameType("mean_square", mean_square, "moment", moment);
  if (mean_grad) CheckSameType("mean_square", mean_square, "mean_grad", mean_grad);
  InferOptimizerState("moment", param, moment, moment_out);
  InferOptimizerState("mean_square", param, mean_square, mean_square_out);
  InferOptimizerState("mean_grad", param, mean_grad, mean_grad_out);
}

// Two tensors like the parameter.
template <class Dim>
void InferPair(const char* first_name,
               const char* second_name,
               const MetaTensor<Dim>& param,
               const MetaTensor<Dim>& first,
               const MetaTensor<Dim>& second,
               MetaTensor<Dim>* first_out,
               MetaTensor<Dim>* second_out) {
  CheckSameType(first_name, first, second_name, second);
  InferOptimizerState(first_name, param, first, first_out);
  InferOptimizerState(second_name, param, second, second_out);
}

template <class Dim>
void AdamaxInferMeta(const MetaTensor<Dim>& param,
                     const MetaTensor<Dim>& grad,
                     const MetaTensor<Dim>& learning_rate,
                     const MetaTensor<Dim>& moment,
                     const MetaTensor<Dim>& inf_norm,
                     const MetaTensor<Dim>& beta1_pow,
                     const MetaTensor<Dim>& master_param,
                     bool multi_precision,
                     MetaTensor<Dim>* param_out,
                     MetaTensor<Dim>* moment_out,
                     MetaTensor<Dim>* inf_norm_out,
                     MetaTensor<Dim>* master_param_out) {
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_out);
  CheckOptimizerNumber("beta1_pow", beta1_pow);
  InferPair("moment", "inf_norm", param, moment, inf_norm, moment_out, inf_norm_out);
}

template <class Dim>
void AdadeltaInferMeta(const MetaTensor<Dim>& param,
                       const MetaTensor<Dim>& grad,
                       const MetaTensor<Dim>& avg_squared_grad,
                       const MetaTensor<Dim>& avg_squared_update,
                       const MetaTensor<Dim>& learning_rate,
                       const MetaTensor<Dim>& master_param,
                       bool multi_precision,
                       MetaTensor<Dim>* param_out,
                       MetaTensor<Dim>* moment_out,
                       MetaTensor<Dim>* inf_norm_out,
                       MetaTensor<Dim>* master_param_out) {
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_out);
  InferPair(
      "avg_squared_grad", "avg_squared_update", param, avg_squared_grad, avg_squared_update, moment_out, inf_norm_out);
}

template <class Dim>
void LambInferMeta(const MetaTensor<Dim>& param,
                   const MetaTensor<Dim>& grad,
                   const MetaTensor<Dim>& learning_rate,
                   const MetaTensor<Dim>& moment1,
                   const MetaTensor<Dim>& moment2,
                   const MetaTensor<Dim>& beta1_pow,
                   const MetaTensor<Dim>& beta2_pow,
                   const MetaTensor<Dim>& master_param,
                   const MetaTensor<Dim>& skip_update,
                   bool multi_precision,
                   MetaTensor<Dim>* param_out,
                   MetaTensor<Dim>* moment1_out,
                   MetaTensor<Dim>* moment2_out,
                   MetaTensor<Dim>* beta1_pow_out,
                   MetaTensor<Dim>* beta2_pow_out,
                   MetaTensor<Dim>* master_param_outs) {
  AdamInferMeta<Dim>(param,
                     grad,
                     learning_rate,
                     moment1,
                     moment2,
                     MetaTensor<Dim>(),
                     beta1_pow,
                     beta2_pow,
                     master_param,
                     skip_update,
                     multi_precision,
                     false,
                     param_out,
                     moment1_out,
                     moment2_out,
                     nullptr,
                     beta1_pow_out,
                     beta2_pow_out,
                     master_param_outs);
}

template <class Dim>
void InferGradients(const std::vector<const MetaTensor<Dim>*>& x, const std::vector<MetaTensor<Dim>*>& out) {
  PADDLE_ENFORCE(!x.empty(), errors::InvalidArgument("argument 'x': expected at least one tensor, got none"));
  ExpectOneForEach("out", out, x);
  for (size_t i = 0; i < x.size(); ++i) {
    PADDLE_ENFORCE(x[i]->dtype() == x[0]->dtype(),
                   errors::InvalidType("argument 'x': expected tensors of one data type, got %s and %s",
                                       DataTypeName(x[0]->dtype()),
                                       DataTypeName(x[i]->dtype())));
    out[i]->set_dims(x[i]->dims());
    out[i]->set_dtype(x[i]->dtype());
  }
}

// A tensor with one element of `dtype`, as which it is written, too.
template <class Dim>
void InferCount(const char* name, const MetaTensor<Dim>& number, DataType dtype, MetaTensor<Dim>* out) {
  CheckOneElement(name, number);
  PADDLE_ENFORCE(
      number.dtype() == dtype,
      errors::InvalidType(
          "argument '%s': expected data type %s, got %s", name, DataTypeName(dtype), DataTypeName(number.dtype())));
  if (out == nullptr) return;
  out->set_dims(number.dims());
  out->set_dtype(dtype);
}

template <class Dim>
void CheckFiniteAndUnscaleInferMeta(const std::vector<const MetaTensor<Dim>*>& x,
                                    const MetaTensor<Dim>& scale,
                                    std::vector<MetaTensor<Dim>*> out,
                                    MetaTensor<Dim>* found_infinite) {
  InferGradients(x, out);
  CheckOneElement("scale", scale);
  PADDLE_ENFORCE(IsFloatingType(scale.dtype()),
                 errors::InvalidType("argument 'scale': expected a number of floating point, got %s",
                                     DataTypeName(scale.dtype())));
  found_infinite->set_dims({Dim(1)});
  found_infinite->set_dtype(DataType::BOOL);
}

template <class Dim>
void UpdateLossScalingInferMeta(const std::vector<const MetaTensor<Dim>*>& x,
                                const MetaTensor<Dim>& found_infinite,
                                const MetaTensor<Dim>& prev_loss_scaling,
                                const MetaTensor<Dim>& in_good_steps,
                                const MetaTensor<Dim>& in_bad_steps,
                                std::vector<MetaTensor<Dim>*> out,
                                MetaTensor<Dim>* loss_scaling,
                                MetaTensor<Dim>* out_good_steps,
                                MetaTensor<Dim>* out_bad_steps) {
  InferGradients(x, out);
  InferCount<Dim>("found_infinite", found_infinite, DataType::BOOL, nullptr);
  CheckOptimizerNumber("prev_loss_scaling", prev_loss_scaling);
  InferCount("prev_loss_scaling", prev_loss_scaling, prev_loss_scaling.dtype(), loss_scaling);
  InferCount("in_good_steps", in_good_steps, DataType::INT32, out_good_steps);
  InferCount("in_bad_steps", in_bad_steps, DataType::INT32, out_bad_steps);
}

}  // namespace phi
