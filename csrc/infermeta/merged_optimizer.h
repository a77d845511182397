// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/multiary_linalg.h"

// Optimizers that update a list of parameters: for each of them, what the op for one parameter checks.
namespace phi {

template <class Dim>
using MetaPointers = std::vector<const MetaTensor<Dim>*>;

inline void CheckListSize(const char* name, size_t size, const char* expected, bool fits, size_t params) {
  PADDLE_ENFORCE(fits,
                 errors::InvalidArgument(
                     "argument '%s': expected %s, of which 'param' has %d, got %d", name, expected, params, size));
}

template <class Dim>
void CheckTensorList(const char* name, const MetaPointers<Dim>& list, const MetaPointers<Dim>& param) {
  CheckListSize(name, list.size(), "a tensor for each parameter", list.size() == param.size(), param.size());
}

template <class Dim>
const MetaTensor<Dim>& MetaAt(const MetaPointers<Dim>& list, size_t i) {
  static const MetaTensor<Dim> absent;
  return list.empty() ? absent : *list[list.size() == 1 ? 0 : i];
}
template <class Dim>
MetaTensor<Dim>* OutputAt(const std::vector<MetaTensor<Dim>*>& list, size_t i) {
  return i < list.size() ? list[i] : nullptr;
}

// Calls infer(i) for each parameter; an error says which one it was.
template <class Infer>
void ForEachParam(size_t params, const Infer& infer) {
  size_t i = 0;
  try {
    for (; i < params; ++i) infer(i);
  } catch (const enforce::EnforceNotMet& error) {
    const std::string message = enforce::Format("parameter %d: %s", i, error.what());
    throw enforce::EnforceNotMet(error.code(), message, error.file(), error.line());
  }
}

template <class Dim>
void CheckMergedOptimizer(const MetaPointers<Dim>& param,
                          const MetaPointers<Dim>& grad,
                          const MetaPointers<Dim>& learning_rate,
                          const MetaPointers<Dim>& master_param) {
  for (const MetaTensor<Dim>* tensor : param) {
    PADDLE_ENFORCE(tensor->dtype() == param[0]->dtype(),
                   errors::InvalidType("argument 'param': expected tensors of one data type, got %s and %s",
                                       DataTypeName(param[0]->dtype()),
                                       DataTypeName(tensor->dtype())));
  }
  CheckTensorList("grad", grad, param);
  if (!master_param.empty()) CheckTensorList("master_param", master_param, param);
  CheckListSize("learning_rate",
                learning_rate.size(),
                "one tensor, or one for each parameter",
                learning_rate.size() == 1 || learning_rate.size() == param.size(),
                param.size());
}

template <class Dim>
void MergedMomentumInferMeta(const MetaPointers<Dim>& param,
                             const MetaPointers<Dim>& grad,
                             const MetaPointers<Dim>& velocity,
                             const MetaPointers<Dim>& learning_rate,
                             const MetaPointers<Dim>& master_param,
                             const std::vector<std::string>& regularization_method,
                             const std::vector<float>& regularization_coeff,
                             bool multi_precision,
                             std::vector<MetaTensor<Dim>*> param_out,
                             std::vector<MetaTensor<Dim>*> velocity_out,
                             std::vector<MetaTensor<Dim>*> master_param_out) {
  const size_t params = param.size();
  CheckMergedOptimizer(param, grad, learning_rate, master_param);
  CheckTensorList("velocity", velocity, param);
  const auto check = [&](const char* name, size_t size) {
    CheckListSize(name, size, "nothing, or one for each parameter", size == 0 || size == params, params);
  };
  check("regularization_method", regularization_method.size());
  check("regularization_coeff", regularization_coeff.size());
  PADDLE_ENFORCE(regularization_coeff.size() == regularization_method.size(),
                 errors::InvalidArgument("arguments 'regularization_method' and 'regularization_coeff' must have equal "
                                         "lengths, got %d and %d",
                                         regularization_method.size(),
                                         regularization_coeff.size()));
  const std::string none;
  ForEachParam(params, [&](size_t i) {
    MomentumInferMeta(*param[i],
                      *grad[i],
                      *velocity[i],
                      MetaAt(learning_rate, i),
                      MetaAt(master_param, i),
                      regularization_method.empty() ? none : regularization_method[i],
                      multi_precision,
                      param_out[i],
                      velocity_out[i],
                      OutputAt(master_param_out, i));
  });
}

template <class Dim>
void MergedAdamInferMeta(const MetaPointers<Dim>& param,
                         const MetaPointers<Dim>& grad,
                         const MetaPointers<Dim>& learning_rate,
                         const MetaPointers<Dim>& moment1,
                         const MetaPointers<Dim>& moment2,
                         const MetaPointers<Dim>& moment2_max,
                         const MetaPointers<Dim>& beta1_pow,
                         const MetaPointers<Dim>& beta2_pow,
                         const MetaPointers<Dim>& master_param,
                         bool multi_precision,
                         bool amsgrad,
                         std::vector<MetaTensor<Dim>*> param_out,
                         std::vector<MetaTensor<Dim>*> moment1_out,
                         std::vector<MetaTensor<Dim>*> moment2_out,
                         std::vector<MetaTensor<Dim>*> moment2_max_out,
                         std::vector<MetaTensor<Dim>*> beta1_pow_out,
                         std::vector<MetaTensor<Dim>*> beta2_pow_out,
                         std::vector<MetaTensor<Dim>*> master_param_out) {
  CheckMergedOptimizer(param, grad, learning_rate, master_param);
  CheckTensorList("moment1", moment1, param);
  CheckTensorList("moment2", moment2, param);
  if (!moment2_max.empty()) CheckTensorList("moment2_max", moment2_max, param);
  CheckTensorList("beta1_pow", beta1_pow, param);
  CheckTensorList("beta2_pow", beta2_pow, param);
  ForEachParam(param.size(), [&](size_t i) {
    AdamInferMeta(*param[i],
                  *grad[i],
                  MetaAt(learning_rate, i),
                  *moment1[i],
                  *moment2[i],
                  MetaAt(moment2_max, i),
                  *beta1_pow[i],
                  *beta2_pow[i],
                  MetaAt(master_param, i),
                  MetaTensor<Dim>(),
                  multi_precision,
                  amsgrad,
                  param_out[i],
                  moment1_out[i],
                  moment2_out[i],
                  OutputAt(moment2_max_out, i),
                  beta1_pow_out[i],
                  beta2_pow_out[i],
                  OutputAt(master_param_out, i));
  });
}

template <class Dim>
void FusedAdamInferMeta(const MetaPointers<Dim>& params,
                        const MetaPointers<Dim>& grads,
                        const MetaTensor<Dim>& learning_rate,
                        const MetaPointers<Dim>& moments1,
                        const MetaPointers<Dim>& moments2,
                        const MetaPointers<Dim>& moments2_max,
                        const MetaPointers<Dim>& beta1_pows,
                        const MetaPointers<Dim>& beta2_pows,
                        const MetaPointers<Dim>& master_params,
                        const MetaTensor<Dim>& skip_update,
                        bool multi_precision,
                        bool amsgrad,
                        std::vector<MetaTensor<Dim>*> params_out,
                        std::vector<MetaTensor<Dim>*> moments1_out,
                        std::vector<MetaTensor<Dim>*> moments2_out,
                        std::vector<MetaTensor<Dim>*> moments2_max_out,
                        std::vector<MetaTensor<Dim>*> beta1_pows_out,
                        std::vector<MetaTensor<Dim>*> beta2_pows_out,
                        std::vector<MetaTensor<Dim>*> master_params_out) {
  CheckMergedOptimizer<Dim>(params, grads, {&learning_rate}, master_params);
  CheckTensorList("moments1", moments1, params);
  CheckTensorList("moments2", moments2, params);
  if (!moments2_max.empty()) CheckTensorList("moments2_max", moments2_max, params);
  CheckTensorList("beta1_pows", beta1_pows, params);
  CheckTensorList("beta2_pows", beta2_pows, params);
  ForEachParam(params.size(), [&](size_t i) {
    AdamInferMeta(*params[i],
                  *grads[i],
                  learning_rate,
                  *moments1[i],
                  *moments2[i],
                  MetaAt(moments2_max, i),
                  *beta1_pows[i],
                  *beta2_pows[i],
                  MetaAt(master_params, i),
                  skip_update,
                  multi_precision,
                  amsgrad,
                  params_out[i],
                  moments1_out[i],
                  moments2_out[i],
                  OutputAt(moments2_max_out, i),
                  beta1_pows_out[i],
                  beta2_pows_out[i],
                  OutputAt(master_params_out, i));
  });
}

}  // namespace phi
