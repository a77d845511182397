// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/channels_last.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/data_types.h"
#include "infermeta/pooling.h"
#include "infermeta/set_contiguous.h"

// Softmax, normalization and cross entropy. Their kernels take contiguous inputs and give contiguous outputs.
namespace phi {

inline void CheckNormDataType(const char* name, DataType dtype, DataType x_dtype) {
  PADDLE_ENFORCE(dtype == x_dtype || dtype == AccumulateType(x_dtype),
                 errors::InvalidType("argument '%s': expected %s%s as 'x', got %s",
                                     name,
                                     DataTypeName(x_dtype),
                                     AccumulateType(x_dtype) == x_dtype ? "" : " or float32",
                                     DataTypeName(dtype)));
}

// A parameter (scale, bias, a running statistic) is a vector, of x's type or of the type of its statistics.
template <class Dim>
void CheckNormParameter(const char* name, const MetaTensor<Dim>& param, const Dim& size, DataType x_dtype) {
  if (!param) return;
  PADDLE_ENFORCE(param.dims().size() == 1 && param.dims(0) == size,
                 errors::InvalidArgument("argument '%s': expected the shape [%d], got %s", name, size, param.dims()));
  CheckNormDataType(name, param.dtype(), x_dtype);
}

template <class Dim>
void SoftmaxInferMeta(const MetaTensor<Dim>& x, int64_t axis, MetaTensor<Dim>* out) {
  CanonicalAxis(axis, x.dims().size());
  SetContiguous(x.dims(), x.dtype(), out);
}

// `begin_norm_axis`, from `least` on, and what follows from it.
template <class Dim>
void CheckLayerNorm(const MetaTensor<Dim>& x,
                    const MetaTensor<Dim>& scale,
                    const MetaTensor<Dim>& bias,
                    double epsilon,
                    int64_t begin_norm_axis,
                    int least) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(rank > least,
                 errors::InvalidArgument("argument 'x': expected at least %d dimension%s, got the shape %s",
                                         least + 1,
                                         least > 0 ? "s" : "",
                                         x.dims()));
  PADDLE_ENFORCE(begin_norm_axis >= least && begin_norm_axis < rank,
                 errors::InvalidArgument(
                     "argument 'begin_norm_axis': expected a value in [%d, %d), got %d", least, rank, begin_norm_axis));
  PADDLE_ENFORCE(epsilon >= 0, errors::InvalidArgument("argument 'epsilon': expected a value >= 0, got %f", epsilon));
  const Dim size = product(slice_ddim(x.dims(), static_cast<int>(begin_norm_axis), rank));
  CheckNormParameter("scale", scale, size, x.dtype());
  CheckNormParameter("bias", bias, size, x.dtype());
}

template <class Dim>
void LayerNormInferMeta(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& scale,
                        const MetaTensor<Dim>& bias,
                        double epsilon,
                        int64_t begin_norm_axis,
                        MetaTensor<Dim>* out,
                        MetaTensor<Dim>* mean,
                        MetaTensor<Dim>* variance) {
  CheckLayerNorm(x, scale, bias, epsilon, begin_norm_axis, 1);
  const BasicDDim<Dim> rows = slice_ddim(x.dims(), 0, static_cast<int>(begin_norm_axis));
  SetContiguous(x.dims(), x.dtype(), out);
  SetContiguous(rows, AccumulateType(x.dtype()), mean);
  SetContiguous(rows, AccumulateType(x.dtype()), variance);
}

// `normalized_shape` are the last dimensions of x, and all of those of `scale`.
template <class Dim>
void RmsNormInferMeta(const MetaTensor<Dim>& x,
                      const MetaTensor<Dim>& scale,
                      const std::vector<int64_t>& normalized_shape,
                      double epsilon,
                      MetaTensor<Dim>* y,
                      MetaTensor<Dim>* invvar) {
  const BasicDDim<Dim> part(std::vector<Dim>(normalized_shape.begin(), normalized_shape.end()));
  const int begin = x.dims().size() - part.size();
  PADDLE_ENFORCE(part.size() > 0 && begin >= 0 && slice_ddim(x.dims(), begin, x.dims().size()) == part,
                 errors::InvalidArgument(
                     "argument 'normalized_shape': expected the last dimensions of x, at least one, whose shape is %s; "
                     "got %s",
                     x.dims(),
                     part));
  PADDLE_ENFORCE(epsilon >= 0, errors::InvalidArgument("argument 'epsilon': expected a value >= 0, got %f", epsilon));
  if (scale) {
    PADDLE_ENFORCE(scale.dims() == part,
                   errors::InvalidArgument("argument 'scale': expected the shape %s, got %s", part, scale.dims()));
    CheckNormDataType("scale", scale.dtype(), x.dtype());
  }
  SetContiguous(x.dims(), x.dtype(), y);
  SetContiguous(slice_ddim(x.dims(), 0, begin), AccumulateType(x.dtype()), invvar);
}

template <class Dim>
void BatchNormInferMeta(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& mean,
                        const MetaTensor<Dim>& variance,
                        const MetaTensor<Dim>& scale,
                        const MetaTensor<Dim>& bias,
                        double epsilon,
                        const std::string& data_format,
                        MetaTensor<Dim>* out,
                        MetaTensor<Dim>* mean_out,
                        MetaTensor<Dim>* variance_out,
                        MetaTensor<Dim>* saved_mean,
                        MetaTensor<Dim>* saved_variance,
                        MetaTensor<Dim>* reserve_space) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(rank >= 2 && rank <= 5,
                 errors::InvalidArgument("argument 'x': expected 2 to 5 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(epsilon >= 0, errors::InvalidArgument("argument 'epsilon': expected a value >= 0, got %f", epsilon));
  const Dim channels = x.dims(IsChannelLast(data_format) ? rank - 1 : 1);
  CheckNormParameter("mean", mean, channels, x.dtype());
  CheckNormParameter("variance", variance, channels, x.dtype());
  CheckNormParameter("scale", scale, channels, x.dtype());
  CheckNormParameter("bias", bias, channels, x.dtype());
  SetImages(x.dims(), x.dtype(), x, out);
  if (mean) SetContiguous({channels}, mean.dtype(), mean_out);
  if (variance) SetContiguous({channels}, variance.dtype(), variance_out);
  SetContiguous({channels}, AccumulateType(x.dtype()), saved_mean);
  SetContiguous({channels}, AccumulateType(x.dtype()), saved_variance);
  SetContiguous({Dim(0)}, DataType::UINT8, reserve_space);
}

// A hard label has the input's shape with 1 in place of the classes, or without that dimension.
template <class Dim>
void CheckHardLabel(const MetaTensor<Dim>& label, const BasicDDim<Dim>& loss_dims, int axis) {
  const DataType type = label.dtype();
  PADDLE_ENFORCE(type == DataType::INT64 || type == DataType::INT32 || type == DataType::INT16 ||
                     type == DataType::INT8 || type == DataType::UINT8,
                 errors::InvalidType("argument 'label': expected int64, int32, int16, int8 or uint8 (soft_label is "
                                     "false), got %s",
                                     DataTypeName(type)));
  BasicDDim<Dim> squeezed;
  for (int i = 0; i < loss_dims.size(); ++i) {
    if (i != axis) squeezed.push_back(loss_dims[i]);
  }
  PADDLE_ENFORCE(label.dims() == loss_dims || label.dims() == squeezed,
                 errors::InvalidArgument(
                     "argument 'label': expected the shape %s or %s, got %s", loss_dims, squeezed, label.dims()));
}

template <class Dim>
void CrossEntropyWithSoftmaxInferMeta(const MetaTensor<Dim>& input,
                                      const MetaTensor<Dim>& label,
                                      bool soft_label,
                                      int64_t axis,
                                      MetaTensor<Dim>* softmax,
                                      MetaTensor<Dim>* loss) {
  const int rank = input.dims().size();
  PADDLE_ENFORCE(rank > 0,
                 errors::InvalidArgument("argument 'input': expected at least 1 dimension, got a 0-d tensor"));
  BasicDDim<Dim> loss_dims = input.dims();
  const int class_axis = CanonicalAxis(axis, rank);
  loss_dims[class_axis] = Dim(1);
  if (soft_label) {
    PADDLE_ENFORCE(
        label.dims() == input.dims(),
        errors::InvalidArgument("argument 'label': expected the shape of 'input' %s (soft_label is true), got %s",
                                input.dims(),
                                label.dims()));
    PADDLE_ENFORCE(label.dtype() == input.dtype(),
                   errors::InvalidType("argument 'label': expected %s as 'input' (soft_label is true), got %s",
                                       DataTypeName(input.dtype()),
                                       DataTypeName(label.dtype())));
  } else {
    CheckHardLabel(label, loss_dims, class_axis);
  }
  SetContiguous(input.dims(), input.dtype(), softmax);
  SetContiguous(loss_dims, input.dtype(), loss);
}

}  // namespace phi
