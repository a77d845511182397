// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/multiary_linalg.h"
#include "infermeta/optimizer.h"

// Optimizers that keep numbers or learning rates of their own.
namespace phi {

// Three numbers of floating point that a step changes: of one element each, or as often as `param` has elements, which
// is how PaddlePaddle's optimizers keep them.
template <class Dim>
void InferNumbers(const char* const (&names)[3],
                  const MetaTensor<Dim>& param,
                  const MetaTensor<Dim>* const (&numbers)[3],
                  MetaTensor<Dim>* const (&out)[3]) {
  for (int i = 0; i < 3; ++i) {
    if (!(numbers[i]->dims() == param.dims())) CheckOneElement(names[i], *numbers[i]);
    CheckSingleOrDouble(names[i], *numbers[i]);
    PADDLE_ENFORCE(numbers[i]->numel() == numbers[0]->numel(),
                   errors::InvalidArgument(
                       "arguments '%s', '%s' and '%s' must have as many elements", names[0], names[1], names[2]));
    PADDLE_ENFORCE(numbers[i]->dtype() == numbers[0]->dtype(),
                   errors::InvalidType(
                       "arguments '%s', '%s' and '%s' must have the same data type", names[0], names[1], names[2]));
    InferOptimizerState(names[i], *numbers[i], *numbers[i], out[i]);
  }
}

template <class Dim>
void NAdamInferMeta(const MetaTensor<Dim>& param,
                    const MetaTensor<Dim>& grad,
                    const MetaTensor<Dim>& learning_rate,
                    const MetaTensor<Dim>& momentum_decay_pow,
                    const MetaTensor<Dim>& beta2_pow,
                    const MetaTensor<Dim>& mu_product,
                    const MetaTensor<Dim>& moment1,
                    const MetaTensor<Dim>& moment2,
                    const MetaTensor<Dim>& master_param,
                    bool multi_precision,
                    MetaTensor<Dim>* param_out,
                    MetaTensor<Dim>* momentum_decay_pow_out,
                    MetaTensor<Dim>* beta2_pow_out,
                    MetaTensor<Dim>* mu_product_out,
                    MetaTensor<Dim>* moment1_out,
                    MetaTensor<Dim>* moment2_out,
                    MetaTensor<Dim>* master_param_out) {
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_out);
  InferNumbers<Dim>({"momentum_decay_pow", "beta2_pow", "mu_product"},
                    param,
                    {&momentum_decay_pow, &beta2_pow, &mu_product},
                    {momentum_decay_pow_out, beta2_pow_out, mu_product_out});
  InferPair("moment1", "moment2", param, moment1, moment2, moment1_out, moment2_out);
}

template <class Dim>
void RAdamInferMeta(const MetaTensor<Dim>& param,
                    const MetaTensor<Dim>& grad,
                    const MetaTensor<Dim>& learning_rate,
                    const MetaTensor<Dim>& beta1_pow,
                    const MetaTensor<Dim>& beta2_pow,
                    const MetaTensor<Dim>& rho,
                    const MetaTensor<Dim>& moment1,
                    const MetaTensor<Dim>& moment2,
                    const MetaTensor<Dim>& master_param,
                    bool multi_precision,
                    MetaTensor<Dim>* param_out,
                    MetaTensor<Dim>* beta1_pow_out,
                    MetaTensor<Dim>* beta2_pow_out,
                    MetaTensor<Dim>* rho_out,
                    MetaTensor<Dim>* moment1_out,
                    MetaTensor<Dim>* moment2_out,
                    MetaTensor<Dim>* master_param_out) {
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_out);
  InferNumbers<Dim>({"beta1_pow", "beta2_pow", "rho"},
                    param,
                    {&beta1_pow, &beta2_pow, &rho},
                    {beta1_pow_out, beta2_pow_out, rho_out});
  InferPair("moment1", "moment2", param, moment1, moment2, moment1_out, moment2_out);
}

template <class Dim>
void RpropInferMeta(const MetaTensor<Dim>& param,
                    const MetaTensor<Dim>& grad,
                    const MetaTensor<Dim>& prev,
                    const MetaTensor<Dim>& learning_rate,
                    const MetaTensor<Dim>& master_param,
                    const MetaTensor<Dim>& learning_rate_range,
                    const MetaTensor<Dim>& etas,
                    bool multi_precision,
                    MetaTensor<Dim>* param_out,
                    MetaTensor<Dim>* prev_out,
                    MetaTensor<Dim>* learning_rate_out,
                    MetaTensor<Dim>* master_param_out) {
  const auto check = [](const char* name, const MetaTensor<Dim>& two) {
    PADDLE_ENFORCE(two.numel() == 2,
                   errors::InvalidArgument("argument '%s': expected two numbers, got the shape %s", name, two.dims()));
    PADDLE_ENFORCE(IsFloatingType(two.dtype()),
                   errors::InvalidType(
                       "argument '%s': expected numbers of floating point, got %s", name, DataTypeName(two.dtype())));
  };
  check("learning_rate_range", learning_rate_range);
  check("etas", etas);
  CheckMasterParam(param, master_param, multi_precision);
  InferOptimizerState<Dim>("grad", param, grad, nullptr);
  InferOptimizerState("param", param, param, param_out);
  InferOptimizerState("master_param", param, master_param, master_param_out);
  InferPair("prev", "learning_rate", param, prev, learning_rate, prev_out, learning_rate_out);
}

template <class Dim>
void ASGDInferMeta(const MetaTensor<Dim>& param,
                   const MetaTensor<Dim>& grad,
                   const MetaTensor<Dim>& learning_rate,
                   const MetaTensor<Dim>& d,
                   const MetaTensor<Dim>& y,
                   const MetaTensor<Dim>& n,
                   const MetaTensor<Dim>& master_param,
                   bool multi_precision,
                   MetaTensor<Dim>* param_out,
                   MetaTensor<Dim>* d_out,
                   MetaTensor<Dim>* y_out,
                   MetaTensor<Dim>* master_param_out) {
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_out);
  CheckOneElement("n", n);
  PADDLE_ENFORCE(IsFloatingType(n.dtype()) || n.dtype() == DataType::INT64 || n.dtype() == DataType::INT32,
                 errors::InvalidType("argument 'n': expected a number of floating point, int64 or int32, got %s",
                                     DataTypeName(n.dtype())));
  InferPair("d", "y", param, d, y, d_out, y_out);
}

}  // namespace phi
