// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/nn.h"

// The gradients of infermeta/nn.h: contiguous, of the shapes and types of what they are gradients of.
namespace phi {

// A tensor that the forward op gave, or a gradient of one: its shape is known.
template <class Dim>
void CheckDims(const char* name, const MetaTensor<Dim>& tensor, const BasicDDim<Dim>& dims) {
  PADDLE_ENFORCE(tensor.dims() == dims,
                 errors::InvalidArgument("argument '%s': expected the shape %s, got %s", name, dims, tensor.dims()));
}

template <class Dim>
void SoftmaxGradInferMeta(const MetaTensor<Dim>& out,
                          const MetaTensor<Dim>& out_grad,
                          int64_t axis,
                          MetaTensor<Dim>* x_grad) {
  CanonicalAxis(axis, out.dims().size());
  CheckDims("out_grad", out_grad, out.dims());
  SetContiguous(out.dims(), out.dtype(), x_grad);
}

template <class Dim>
void LayerNormGradInferMeta(const MetaTensor<Dim>& x,
                            const MetaTensor<Dim>& scale,
                            const MetaTensor<Dim>& bias,
                            const MetaTensor<Dim>& mean,
                            const MetaTensor<Dim>& variance,
                            const MetaTensor<Dim>& out_grad,
                            double epsilon,
                            int64_t begin_norm_axis,
                            MetaTensor<Dim>* x_grad,
                            MetaTensor<Dim>* scale_grad,
                            MetaTensor<Dim>* bias_grad) {
  TensorMeta<Dim> meta;
  MetaTensor<Dim> rows(&meta);
  LayerNormInferMeta<Dim>(x, scale, bias, epsilon, begin_norm_axis, x_grad, &rows, nullptr);
  CheckDims("mean", mean, rows.dims());
  CheckDims("variance", variance, rows.dims());
  CheckDims("out_grad", out_grad, x.dims());
  if (scale) SetContiguous(scale.dims(), scale.dtype(), scale_grad);
  if (bias) SetContiguous(bias.dims(), bias.dtype(), bias_grad);
}

template <class Dim>
void RMSNormGradInferMeta(const MetaTensor<Dim>& x,
                          const MetaTensor<Dim>& scale,
                          const MetaTensor<Dim>& invvar,
                          const MetaTensor<Dim>& y_grad,
                          const std::vector<int64_t>& normalized_shape,
                          double epsilon,
                          MetaTensor<Dim>* x_grad,
                          MetaTensor<Dim>* scale_grad) {
  TensorMeta<Dim> meta;
  MetaTensor<Dim> rows(&meta);
  RmsNormInferMeta<Dim>(x, scale, normalized_shape, epsilon, x_grad, &rows);
  CheckDims("invvar", invvar, rows.dims());
  CheckDims("y_grad", y_grad, x.dims());
  if (scale) SetContiguous(scale.dims(), scale.dtype(), scale_grad);
}

template <class Dim>
void BatchNormGradInferMeta(const MetaTensor<Dim>& x,
                            const MetaTensor<Dim>& scale,
                            const MetaTensor<Dim>& bias,
                            const MetaTensor<Dim>& mean_out,
                            const MetaTensor<Dim>& variance_out,
                            const MetaTensor<Dim>& saved_mean,
                            const MetaTensor<Dim>& saved_variance,
                            const MetaTensor<Dim>& out_grad,
                            double epsilon,
                            const std::string& data_format,
                            bool is_test,
                            bool use_global_stats,
                            bool trainable_statistics,
                            MetaTensor<Dim>* x_grad,
                            MetaTensor<Dim>* scale_grad,
                            MetaTensor<Dim>* bias_grad) {
  TensorMeta<Dim> meta;
  MetaTensor<Dim> saved(&meta);
  BatchNormInferMeta<Dim>(
      x, mean_out, variance_out, scale, bias, epsilon, data_format, x_grad, nullptr, nullptr, &saved, nullptr, nullptr);
  const bool global = use_global_stats || (is_test && !trainable_statistics);
  PADDLE_ENFORCE(!global || (mean_out && variance_out),
                 errors::InvalidArgument("arguments 'mean_out' and 'variance_out': expected tensors, as the running "
                                         "statistics were used, got None"));
  CheckDims("saved_mean", saved_mean, saved.dims());
  CheckDims("saved_variance", saved_variance, saved.dims());
  CheckDims("out_grad", out_grad, x.dims());
  if (scale) SetContiguous(scale.dims(), scale.dtype(), scale_grad);
  if (bias) SetContiguous(bias.dims(), bias.dtype(), bias_grad);
}

template <class Dim>
void Pool2DGradInferMeta(const MetaTensor<Dim>& x,
                         const MetaTensor<Dim>& out,
                         const MetaTensor<Dim>& out_grad,
                         const IntArrayBase<Dim>& kernel_size,
                         const std::vector<int64_t>& strides,
                         const std::vector<int64_t>& paddings,
                         bool ceil_mode,
                         bool exclusive,
                         const std::string& data_format,
                         const std::string& pooling_type,
                         bool global_pooling,
                         bool adaptive,
                         const std::string& padding_algorithm,
                         MetaTensor<Dim>* x_grad) {
  TensorMeta<Dim> meta;
  MetaTensor<Dim> pooled(&meta);
  Pool2DInferMeta<Dim>(x,
                       kernel_size,
                       strides,
                       paddings,
                       ceil_mode,
                       exclusive,
                       data_format,
                       pooling_type,
                       global_pooling,
                       adaptive,
                       padding_algorithm,
                       &pooled);
  CheckDims("out", out, pooled.dims());
  CheckDims("out_grad", out_grad, pooled.dims());
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

template <class Dim>
void CrossEntropyWithSoftmaxGradInferMeta(const MetaTensor<Dim>& label,
                                          const MetaTensor<Dim>& softmax,
                                          const MetaTensor<Dim>& loss_grad,
                                          const MetaTensor<Dim>& softmax_grad,
                                          bool soft_label,
                                          int64_t axis,
                                          MetaTensor<Dim>* input_grad) {
  TensorMeta<Dim> meta;
  MetaTensor<Dim> loss(&meta);
  CrossEntropyWithSoftmaxInferMeta<Dim>(softmax, label, soft_label, axis, input_grad, &loss);
  CheckDims("loss_grad", loss_grad, loss.dims());
  if (softmax_grad) CheckDims("softmax_grad", softmax_grad, softmax.dims());
}

}  // namespace phi
