// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"

namespace phi {

template <class Dim>
void ConcatInferMeta(const std::vector<const MetaTensor<Dim>*>& x, const Scalar& axis, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(!x.empty(), errors::InvalidArgument("argument 'x': expected at least one tensor, got none"));
  BasicDDim<Dim> dims = x[0]->dims();
  PADDLE_ENFORCE(
      dims.size() > 0,
      errors::InvalidArgument("argument 'x': expected tensors with at least one dimension, got none; use stack"));
  const int dim = CanonicalAxis(axis.to<int64_t>(), dims.size());
  for (size_t i = 1; i < x.size(); ++i) {
    const BasicDDim<Dim>& other = x[i]->dims();
    PADDLE_ENFORCE(x[i]->dtype() == x[0]->dtype(),
                   errors::InvalidType("argument 'x': expected tensors of one data type, got %s at 0 and %s at %d",
                                       DataTypeName(x[0]->dtype()),
                                       DataTypeName(x[i]->dtype()),
                                       i));
    bool agree = other.size() == dims.size();
    for (int d = 0; agree && d < dims.size(); ++d) agree = d == dim || other[d] == dims[d];
    PADDLE_ENFORCE(
        agree,
        errors::InvalidArgument("argument 'x': expected equal shapes but for axis %d, got %s at 0 and %s at %d",
                                dim,
                                x[0]->dims(),
                                other,
                                i));
    dims[dim] = dims[dim] + other[dim];
  }
  out->set_dims(dims);
  out->set_dtype(x[0]->dtype());
}

// Two states of an optimizer are of one data type.
template <class Dim>
void CheckSameType(const char* first_name,
                   const MetaTensor<Dim>& first,
                   const char* second_name,
                   const MetaTensor<Dim>& second) {
  PADDLE_ENFORCE(first.dtype() == second.dtype(),
                 errors::InvalidType("argument '%s': expected data type %s, that of '%s', got %s; pass %s.to(%s)",
                                     second_name,
                                     DataTypeName(first.dtype()),
                                     first_name,
                                     DataTypeName(second.dtype()),
                                     second_name,
                                     DataTypeName(first.dtype())));
}

// `tensor` belongs to the parameter: the same shape, which `out` gets too.
template <class Dim>
void InferOptimizerState(const char* name,
                         const MetaTensor<Dim>& param,
                         const MetaTensor<Dim>& tensor,
                         MetaTensor<Dim>* out) {
  if (!tensor) return;
  PADDLE_ENFORCE(tensor.dims() == param.dims(),
                 errors::InvalidArgument(
                     "argument '%s': expected the shape %s of 'param', got %s", name, param.dims(), tensor.dims()));
  PADDLE_ENFORCE(
      tensor.dtype() == param.dtype() || (tensor.dtype() == DataType::FLOAT32 && param.dtype() != DataType::FLOAT64),
      errors::InvalidType(
          "argument '%s': expected data type %s as 'param', or float32 for a half-precision one, got %s",
          name,
          DataTypeName(param.dtype()),
          DataTypeName(tensor.dtype())));
  if (out == nullptr) return;
  out->set_dims(tensor.dims());
  out->set_dtype(tensor.dtype());
}

template <class Dim>
void CheckOneElement(const char* name, const MetaTensor<Dim>& number) {
  PADDLE_ENFORCE(number.numel() == 1,
                 errors::InvalidArgument(
                     "argument '%s': expected a tensor with one element, got the shape %s", name, number.dims()));
}

template <class Dim>
void CheckLearningRate(const MetaTensor<Dim>& rate) {
  CheckOneElement("learning_rate", rate);
  const DataType dtype = rate.dtype();
  PADDLE_ENFORCE(dtype == DataType::FLOAT32 || dtype == DataType::FLOAT64 || dtype == DataType::FLOAT16 ||
                     dtype == DataType::BFLOAT16,
                 errors::InvalidType("argument 'learning_rate': expected data type float32, float64, float16 or "
                                     "bfloat16, got %s",
                                     DataTypeName(dtype)));
}

// Of what optimizers keep and write.
template <class Dim>
void CheckSingleOrDouble(const char* name, const MetaTensor<Dim>& number) {
  PADDLE_ENFORCE(
      number.dtype() == DataType::FLOAT32 || number.dtype() == DataType::FLOAT64,
      errors::InvalidType(
          "argument '%s': expected data type float32 or float64, got %s", name, DataTypeName(number.dtype())));
}

// A power of Adam's, which is written too.
template <class Dim>
void CheckOptimizerNumber(const char* name, const MetaTensor<Dim>& number) {
  CheckOneElement(name, number);
  CheckSingleOrDouble(name, number);
}

template <class Dim>
void CheckMasterParam(const MetaTensor<Dim>& param, const MetaTensor<Dim>& master_param, bool multi_precision) {
  PADDLE_ENFORCE(!multi_precision || master_param,
                 errors::InvalidArgument("argument 'master_param' is required when multi_precision is true"));
  if (!master_param) return;
  PADDLE_ENFORCE(master_param.dtype() == DataType::FLOAT32 && param.dtype() != DataType::FLOAT64,
                 errors::InvalidType(
                     "argument 'master_param': expected float32 for a 'param' of float16 or bfloat16, got %s for %s",
                     DataTypeName(master_param.dtype()),
                     DataTypeName(param.dtype())));
}

template <class Dim>
void SgdInferMeta(const MetaTensor<Dim>& param,
                  const MetaTensor<Dim>& learning_rate,
                  const MetaTensor<Dim>& grad,
                  const MetaTensor<Dim>& master_param,
                  bool multi_precision,
                  MetaTensor<Dim>* param_out,
                  MetaTensor<Dim>* master_param_out) {
  CheckLearningRate(learning_rate);
  CheckMasterParam(param, master_param, multi_precision);
  InferOptimizerState<Dim>("grad", param, grad, nullptr);
  InferOptimizerState("param", param, param, param_out);
  InferOptimizerState("master_param", param, master_param, master_param_out);
}

template <class Dim>
void MomentumInferMeta(const MetaTensor<Dim>& param,
                       const MetaTensor<Dim>& grad,
                       const MetaTensor<Dim>& velocity,
                       const MetaTensor<Dim>& learning_rate,
                       const MetaTensor<Dim>& master_param,
                       const std::string& regularization_method,
                       bool multi_precision,
                       MetaTensor<Dim>* param_out,
                       MetaTensor<Dim>* velocity_out,
                       MetaTensor<Dim>* master_param_out) {
  PADDLE_ENFORCE(regularization_method.empty() || regularization_method == "l2_decay",
                 errors::InvalidArgument("argument 'regularization_method': expected '' or 'l2_decay', got '%s'",
                                         regularization_method));
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_out);
  InferOptimizerState("velocity", param, velocity, velocity_out);
}

template <class Dim>
void AdamInferMeta(const MetaTensor<Dim>& param,
                   const MetaTensor<Dim>& grad,
                   const MetaTensor<Dim>& learning_rate,
                   const MetaTensor<Dim>& moment1,
                   const MetaTensor<Dim>& moment2,
                   const MetaTensor<Dim>& moment2_max,
                   const MetaTensor<Dim>& beta1_pow,
                   const MetaTensor<Dim>& beta2_pow,
                   const MetaTensor<Dim>& master_param,
                   const MetaTensor<Dim>& skip_update,
                   bool multi_precision,
                   bool amsgrad,
                   MetaTensor<Dim>* param_out,
                   MetaTensor<Dim>* moment1_out,
                   MetaTensor<Dim>* moment2_out,
                   MetaTensor<Dim>* moment2_max_out,
                   MetaTensor<Dim>* beta1_pow_out,
                   MetaTensor<Dim>* beta2_pow_out,
                   MetaTensor<Dim>* master_param_out) {
  SgdInferMeta(param, learning_rate, grad, master_param, multi_precision, param_out, master_param_out);
  PADDLE_ENFORCE(!amsgrad || moment2_max,
                 errors::InvalidArgument("argument 'moment2_max' is required when amsgrad is true"));
  PADDLE_ENFORCE(!skip_update || (skip_update.numel() == 1 && skip_update.dtype() == DataType::BOOL),
                 errors::InvalidArgument(
                     "argument 'skip_update': expected a tensor with one bool, got the shape %s of data type %s",
                     skip_update.dims(),
                     DataTypeName(skip_update.dtype())));
  CheckOptimizerNumber("beta1_pow", beta1_pow);
  CheckOptimizerNumber("beta2_pow", beta2_pow);
  CheckSameType("moment1", moment1, "moment2", moment2);
  if (moment2_max) CheckSameType("moment1", moment1, "moment2_max", moment2_max);
  InferOptimizerState("moment1", param, moment1, moment1_out);
  InferOptimizerState("moment2", param, moment2, moment2_out);
  InferOptimizerState("moment2_max", param, moment2_max, moment2_max_out);
  InferOptimizerState("beta1_pow", beta1_pow, beta1_pow, beta1_pow_out);
  InferOptimizerState("beta2_pow", beta2_pow, beta2_pow, beta2_pow_out);
}

}  // namespace phi
