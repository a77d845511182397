// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "infermeta/binary.h"

// InferMeta of the ops with a weight matrix: matmul, conv2d, embedding.
namespace phi {

template <class Dim>
void CheckSameDataType(const char* x_name, const MetaTensor<Dim>& x, const char* y_name, const MetaTensor<Dim>& y) {
  PADDLE_ENFORCE(x.dtype() == y.dtype(),
                 errors::InvalidType("arguments '%s' and '%s' must have the same data type, got %s and %s",
                                     x_name,
                                     y_name,
                                     DataTypeName(x.dtype()),
                                     DataTypeName(y.dtype())));
}

template <class Dim>
void MatmulInferMeta(
    const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, bool transpose_x, bool transpose_y, MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  const int x_rank = x.dims().size();
  const int y_rank = y.dims().size();
  PADDLE_ENFORCE(
      x_rank > 0 && y_rank > 0,
      errors::InvalidArgument(
          "expected tensors with at least one dimension, got the shapes %s of 'x' and %s of 'y'", x.dims(), y.dims()));
  const int x_k = x_rank == 1 ? 0 : transpose_x ? x_rank - 2 : x_rank - 1;
  const int y_k = y_rank == 1 ? 0 : transpose_y ? y_rank - 1 : y_rank - 2;
  PADDLE_ENFORCE(
      x.dims(x_k) == y.dims(y_k),
      errors::InvalidArgument("dimension %d of 'x' and dimension %d of 'y' are multiplied: expected equal sizes, got "
                              "%d and %d, of the shapes %s (transpose_x %d) and %s (transpose_y %d)",
                              x_k,
                              y_k,
                              x.dims(x_k),
                              y.dims(y_k),
                              x.dims(),
                              transpose_x,
                              y.dims(),
                              transpose_y));
  BasicDDim<Dim> dims = BroadcastDims(slice_ddim(x.dims(), 0, x_rank > 2 ? x_rank - 2 : 0),
                                      slice_ddim(y.dims(), 0, y_rank > 2 ? y_rank - 2 : 0));
  if (x_rank > 1) dims.push_back(x.dims(transpose_x ? x_rank - 1 : x_rank - 2));
  if (y_rank > 1) dims.push_back(y.dims(transpose_y ? y_rank - 2 : y_rank - 1));
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void BmmInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      x.dims().size() == 3 && y.dims().size() == 3,
      errors::InvalidArgument(
          "expected 3 dimensions of 'x' and of 'y', got the shapes %s and %s; use matmul", x.dims(), y.dims()));
  PADDLE_ENFORCE(
      x.dims(0) == y.dims(0),
      errors::InvalidArgument("expected equal sizes of dimension 0 of 'x' and 'y', the batch, got the shapes %s and "
                              "%s; use matmul to broadcast",
                              x.dims(),
                              y.dims()));
  MatmulInferMeta(x, y, false, false, out);
}

// One spatial dimension of a convolution's output. With SAME, dilations count as 1.
template <class Dim>
Dim ConvOutputSize(const Dim& input,
                   const Dim& filter,
                   int stride,
                   int before,
                   int after,
                   int dilation,
                   const std::string& algorithm) {
  if (algorithm == "SAME") return (input + Dim(stride - 1)) / Dim(stride);
  const int64_t padding = algorithm == "VALID" ? 0 : int64_t{before} + after;
  const Dim reach = Dim(dilation) * (filter - Dim(1)) + Dim(1);
  PADDLE_ENFORCE(
      input + Dim(padding) >= reach,
      errors::InvalidArgument("the filter reaches over %d elements, more than the input has: %d with %d of padding",
                              reach,
                              input,
                              padding));
  return (input + Dim(padding) - reach) / Dim(stride) + Dim(1);
}

inline std::string IntsText(const std::vector<int>& values) {
  std::ostringstream os;
  for (size_t i = 0; i < values.size(); ++i) os << (i ? ", " : "[") << values[i];
  return values.empty() ? "[]" : os.str() + "]";
}

inline void CheckConvAttributes(const std::vector<int>& strides,
                                const std::vector<int>& paddings,
                                const std::string& padding_algorithm,
                                const std::vector<int>& dilations,
                                const std::string& data_format) {
  PADDLE_ENFORCE(data_format == "NCHW" || data_format == "NHWC" || data_format == "AnyLayout",
                 errors::InvalidArgument("argument 'data_format': expected 'NCHW' or 'NHWC', got '%s'", data_format));
  PADDLE_ENFORCE(
      padding_algorithm == "EXPLICIT" || padding_algorithm == "SAME" || padding_algorithm == "VALID",
      errors::InvalidArgument("argument 'padding_algorithm': expected 'EXPLICIT', 'SAME' or 'VALID', got '%s'",
                              padding_algorithm));
  PADDLE_ENFORCE(strides.size() == 2 && strides[0] > 0 && strides[1] > 0,
                 errors::InvalidArgument("argument 'strides': expected 2 positive numbers, got %s", IntsText(strides)));
  PADDLE_ENFORCE(
      dilations.size() == 2 && dilations[0] > 0 && dilations[1] > 0,
      errors::InvalidArgument("argument 'dilations': expected 2 positive numbers, got %s", IntsText(dilations)));
  PADDLE_ENFORCE(
      paddings.size() == 2 || paddings.size() == 4,
      errors::InvalidArgument("argument 'paddings': expected 2 numbers (height, width) or 4 (top, bottom, left, "
                              "right), got %s",
                              IntsText(paddings)));
  for (const int padding : paddings) {
    PADDLE_ENFORCE(
        padding >= 0,
        errors::InvalidArgument("argument 'paddings': expected no negative number, got %s", IntsText(paddings)));
  }
}

template <class Dim>
void ConvInferMeta(const MetaTensor<Dim>& input,
                   const MetaTensor<Dim>& filter,
                   const std::vector<int>& strides,
                   const std::vector<int>& paddings,
                   const std::string& padding_algorithm,
                   const std::vector<int>& dilations,
                   int64_t groups,
                   const std::string& data_format,
                   MetaTensor<Dim>* out) {
  CheckConvAttributes(strides, paddings, padding_algorithm, dilations, data_format);
  CheckSameDataType("input", input, "filter", filter);
  PADDLE_ENFORCE(
      input.dims().size() == 4 && filter.dims().size() == 4,
      errors::InvalidArgument(
          "expected 4 dimensions of 'input' and of 'filter', got the shapes %s and %s", input.dims(), filter.dims()));
  PADDLE_ENFORCE(
      filter.dims(2) > 0 && filter.dims(3) > 0,
      errors::InvalidArgument("argument 'filter': expected one that is not empty, got the shape %s", filter.dims()));
  const bool channels_last = data_format == "NHWC";
  const int channel = channels_last ? 3 : 1;
  PADDLE_ENFORCE(groups > 0, errors::InvalidArgument("argument 'groups': expected at least 1, got %d", groups));
  PADDLE_ENFORCE(
      input.dims(channel) == filter.dims(1) * Dim(groups),
      errors::InvalidArgument("'input' of the shape %s (%s) has %d channels, expected %d: dimension 1 of 'filter', "
                              "which has the shape %s, times %d groups",
                              input.dims(),
                              data_format,
                              input.dims(channel),
                              filter.dims(1) * Dim(groups),
                              filter.dims(),
                              groups));
  PADDLE_ENFORCE(filter.dims(0) / Dim(groups) * Dim(groups) == filter.dims(0),
                 errors::InvalidArgument(
                     "dimension 0 of 'filter' is %d, expected a multiple of the %d groups", filter.dims(0), groups));
  BasicDDim<Dim> dims = input.dims();
  dims[channel] = filter.dims(0);
  for (int i = 0; i < 2; ++i) {
    const int axis = channels_last ? 1 + i : 2 + i;
    const bool two_sided = paddings.size() == 4;
    dims[axis] = ConvOutputSize(input.dims(axis),
                                filter.dims(2 + i),
                                strides[i],
                                paddings[two_sided ? 2 * i : i],
                                paddings[two_sided ? 2 * i + 1 : i],
                                dilations[i],
                                padding_algorithm);
  }
  SetImages(dims, input.dtype(), input, out);
}

template <class Dim>
void EmbeddingInferMeta(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& weight,
                        int64_t padding_idx,
                        MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      x.dtype() == DataType::INT32 || x.dtype() == DataType::INT64,
      errors::InvalidType("argument 'x': expected data type int32 or int64, got %s", DataTypeName(x.dtype())));
  PADDLE_ENFORCE(weight.dims().size() == 2,
                 errors::InvalidArgument("argument 'weight': expected 2 dimensions, got the shape %s", weight.dims()));
  PADDLE_ENFORCE(padding_idx >= -1,
                 errors::InvalidArgument("argument 'padding_idx': expected a row of 'weight', or -1 for none, got %d",
                                         padding_idx));
  BasicDDim<Dim> dims = x.dims();
  dims.push_back(weight.dims(1));
  out->set_dims(dims);
  out->set_dtype(weight.dtype());
}

}  // namespace phi
