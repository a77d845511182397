// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "infermeta/multiary_linalg.h"
#include "infermeta/unary_manipulation.h"

namespace phi {

// The gradient of x: contiguous, whatever the strides of x.
template <class Dim>
void ContiguousGradInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* x_grad) {
  if (x_grad == nullptr || !x) return;
  x_grad->set_dims(x.dims());
  x_grad->set_dtype(x.dtype());
}

template <class Dim>
void ContiguousBinaryGradInferMeta(const MetaTensor<Dim>& x,
                                   const MetaTensor<Dim>& y,
                                   MetaTensor<Dim>* x_grad,
                                   MetaTensor<Dim>* y_grad) {
  ContiguousGradInferMeta(x, x_grad);
  ContiguousGradInferMeta(y, y_grad);
}

template <class Dim>
void FCGradInferMeta(const MetaTensor<Dim>& input,
                     const MetaTensor<Dim>& w,
                     const MetaTensor<Dim>& bias,
                     bool padding_weights,
                     MetaTensor<Dim>* input_grad,
                     MetaTensor<Dim>* w_grad,
                     MetaTensor<Dim>* bias_grad) {
  PADDLE_ENFORCE(!padding_weights,
                 errors::Unimplemented(
                     "padding_weights is for inference; pass padding_weights=False, and 'w' without the padding"));
  ContiguousBinaryGradInferMeta(input, w, input_grad, w_grad);
  ContiguousGradInferMeta(bias, bias_grad);
}

template <class Dim>
void EmbeddingGradInferMeta(const MetaTensor<Dim>& weight, bool sparse, MetaTensor<Dim>* weight_grad) {
  PADDLE_ENFORCE(!sparse,
                 errors::Unimplemented("argument 'sparse': the gradient is a dense tensor; pass sparse=False"));
  ContiguousGradInferMeta(weight, weight_grad);
}

template <class Dim>
void ConcatGradInferMeta(const std::vector<const MetaTensor<Dim>*>& x, std::vector<MetaTensor<Dim>*> x_grad) {
  for (size_t i = 0; i < x.size(); ++i) ContiguousGradInferMeta(*x[i], x_grad[i]);
}

template <class Dim>
void TransposeGradInferMeta(const MetaTensor<Dim>& out_grad, const std::vector<int>& perm, MetaTensor<Dim>* x_grad) {
  const DDim axes = CanonicalPermutation(perm, out_grad.dims().size());
  BasicDDim<Dim> dims = out_grad.dims();
  for (int i = 0; i < dims.size(); ++i) dims[axes[i]] = out_grad.dims(i);
  x_grad->set_dims(dims);
  x_grad->set_dtype(out_grad.dtype());
}

}  // namespace phi
