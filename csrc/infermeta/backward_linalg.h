// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/channels_last.h"
#include "core/meta_tensor.h"
#include "infermeta/given.h"
#include "infermeta/list_size.h"
#include "infermeta/view_dims.h"

namespace phi {

// The gradient of x: contiguous, whatever the strides of x, but for images with the channels last.
template <class Dim>
void ContiguousGradInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* x_grad) {
  if (x_grad == nullptr || !x) return;
  SetImages(x.dims(), x.dtype(), x, x_grad);
}

// The gradient of an op that gives the elements of x another shape, which the backward op does not know.
template <class Dim>
void ReshapedGradInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& out_grad, MetaTensor<Dim>* x_grad) {
  PADDLE_ENFORCE(Same(out_grad.numel(), x.numel()) && out_grad.dtype() == x.dtype(),
                 errors::InvalidArgument("argument 'out_grad': expected the %d elements of %s of 'x', of the shape %s, "
                                         "in another shape, got the shape %s of %s",
                                         x.numel(),
                                         DataTypeName(x.dtype()),
                                         x.dims(),
                                         out_grad.dims(),
                                         DataTypeName(out_grad.dtype())));
  ContiguousGradInferMeta(x, x_grad);
}

template <class Dim>
void ContiguousBinaryGradInferMeta(const MetaTensor<Dim>& x,
                                   const MetaTensor<Dim>& y,
                                   MetaTensor<Dim>* x_grad,
                                   MetaTensor<Dim>* y_grad) {
  ContiguousGradInferMeta(x, x_grad);
  ContiguousGradInferMeta(y, y_grad);
}

// The gradient of a filter has its strides.
template <class Dim>
void ConvGradInferMeta(const MetaTensor<Dim>& input,
                       const MetaTensor<Dim>& filter,
                       MetaTensor<Dim>* input_grad,
                       MetaTensor<Dim>* filter_grad) {
  ContiguousGradInferMeta(input, input_grad);
  if (filter_grad) filter_grad->share_meta(filter);
}

template <class Dim>
void ContiguousTernaryGradInferMeta(const MetaTensor<Dim>& x,
                                    const MetaTensor<Dim>& y,
                                    const MetaTensor<Dim>& z,
                                    MetaTensor<Dim>* x_grad,
                                    MetaTensor<Dim>* y_grad,
                                    MetaTensor<Dim>* z_grad) {
  ContiguousBinaryGradInferMeta(x, y, x_grad, y_grad);
  ContiguousGradInferMeta(z, z_grad);
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
  ContiguousTernaryGradInferMeta(input, w, bias, input_grad, w_grad, bias_grad);
}

template <class Dim>
void ConcatGradInferMeta(const std::vector<const MetaTensor<Dim>*>& x, std::vector<MetaTensor<Dim>*> x_grad) {
  ExpectOneForEach("x_grad", x_grad, x);
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
