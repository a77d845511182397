// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/channels_last.h"
#include "core/meta_tensor.h"
#include "infermeta/conv.h"
#include "infermeta/data_types.h"
#include "infermeta/nn.h"
#include "infermeta/set_contiguous.h"

// Operators that rewrites make of several.
namespace phi {

template <class Dim>
void FusedConv2dAddActInferMeta(const MetaTensor<Dim>& input,
                                const MetaTensor<Dim>& filter,
                                const MetaTensor<Dim>& bias,
                                const MetaTensor<Dim>& residual_data,
                                const std::vector<int>& strides,
                                const std::vector<int>& paddings,
                                const std::string& padding_algorithm,
                                const std::vector<int>& dilations,
                                int64_t groups,
                                const std::string& data_format,
                                const std::string& activation,
                                const std::vector<int>& split_channels,
                                MetaTensor<Dim>* output,
                                std::vector<MetaTensor<Dim>*> outputs) {
  static constexpr const char* kActivations[] = {
      "identity", "relu", "leaky_relu", "sigmoid", "tanh", "swish", "hardswish"};
  PADDLE_ENFORCE(std::ranges::find(kActivations, activation) != std::end(kActivations),
                 errors::InvalidArgument("argument 'activation': expected 'identity', 'relu', 'leaky_relu', 'sigmoid', "
                                         "'tanh', 'swish' or 'hardswish', got '%s'",
                                         activation));
  ConvInferMeta(input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format, output);
  const BasicDDim<Dim> dims = output->dims();
  if (bias) {
    CheckSameDataType("input", input, "bias", bias);
    PADDLE_ENFORCE(
        bias.numel() == filter.dims(0),
        errors::InvalidArgument("argument 'bias': expected %d elements, one for each filter, got the shape %s",
                                filter.dims(0),
                                bias.dims()));
  }
  if (residual_data) {
    CheckSameDataType("input", input, "residual_data", residual_data);
    PADDLE_ENFORCE(
        residual_data.dims() == dims,
        errors::InvalidArgument(
            "argument 'residual_data': expected the shape %s of the result, got %s", dims, residual_data.dims()));
  }
  const int channel = data_format == "NHWC" ? 3 : 1;
  int64_t sum = 0;
  for (size_t i = 0; i < split_channels.size(); ++i) {
    PADDLE_ENFORCE(
        split_channels[i] >= 0,
        errors::InvalidArgument("argument 'split_channels': expected sizes, got %d at %d", split_channels[i], i));
    sum += split_channels[i];
    if (i >= outputs.size() || outputs[i] == nullptr) continue;
    BasicDDim<Dim> part = dims;
    part[channel] = split_channels[i];
    SetImages(part, input.dtype(), input, outputs[i]);
  }
  PADDLE_ENFORCE(
      split_channels.empty() || dims[channel] == Dim(sum),
      errors::InvalidArgument(
          "argument 'split_channels': expected sizes that add up to the %d filters, got %d", dims[channel], sum));
}

// x as a matrix: with trans_x its first dimension is the rows, otherwise its last one the columns.
template <class Dim>
void FusedGemmEpilogueInferMeta(const MetaTensor<Dim>& x,
                                const MetaTensor<Dim>& y,
                                const MetaTensor<Dim>& bias,
                                bool trans_x,
                                bool trans_y,
                                const std::string& activation,
                                MetaTensor<Dim>* out,
                                MetaTensor<Dim>* reserve_space) {
  CheckSameDataType("x", x, "y", y);
  CheckSameDataType("x", x, "bias", bias);
  PADDLE_ENFORCE(
      activation == "none" || activation == "relu" || activation == "gelu",
      errors::InvalidArgument("argument 'activation': expected 'none', 'relu' or 'gelu', got '%s'", activation));
  const int rank = x.dims().size();
  PADDLE_ENFORCE(
      rank >= 2 && y.dims().size() == 2,
      errors::InvalidArgument(
          "expected at least 2 dimensions of 'x' and 2 of 'y', got the shapes %s and %s", x.dims(), y.dims()));
  const Dim width = trans_x ? x.dims(0) : x.dims(rank - 1);
  PADDLE_ENFORCE(width == y.dims(trans_y ? 1 : 0),
                 errors::InvalidArgument("the rows of 'x' (shape %s, trans_x %d) have %d elements, expected %d, as the "
                                         "columns of 'y' (shape %s, trans_y %d)",
                                         x.dims(),
                                         trans_x,
                                         width,
                                         y.dims(trans_y ? 1 : 0),
                                         y.dims(),
                                         trans_y));
  const Dim columns = y.dims(trans_y ? 0 : 1);
  PADDLE_ENFORCE(
      bias.numel() == columns,
      errors::InvalidArgument("argument 'bias': expected %d elements, one for each column of the result, got "
                              "the shape %s",
                              columns,
                              bias.dims()));
  BasicDDim<Dim> dims = trans_x ? slice_ddim(x.dims(), 1, rank) : slice_ddim(x.dims(), 0, rank - 1);
  dims.push_back(columns);
  SetContiguous(dims, x.dtype(), out);
  SetContiguous(dims, x.dtype(), reserve_space);
}

template <class Dim>
void FusedLayerNormInferMeta(const MetaTensor<Dim>& x,
                             const MetaTensor<Dim>& bias,
                             const MetaTensor<Dim>& residual,
                             const MetaTensor<Dim>& norm_weight,
                             const MetaTensor<Dim>& norm_bias,
                             double epsilon,
                             int64_t begin_norm_axis,
                             double quant_scale,
                             MetaTensor<Dim>* out,
                             MetaTensor<Dim>* residual_out,
                             MetaTensor<Dim>* mean,
                             MetaTensor<Dim>* variance) {
  PADDLE_ENFORCE(
      quant_scale <= 0,
      errors::InvalidArgument("argument 'quant_scale': expected none, which is at most 0, got %f", quant_scale));
  CheckLayerNorm(x, norm_weight, norm_bias, epsilon, begin_norm_axis, 0);
  const int rank = x.dims().size(), begin = static_cast<int>(begin_norm_axis);
  if (bias) {
    CheckSameDataType("x", x, "bias", bias);
    const Dim size = product(slice_ddim(x.dims(), begin, rank));
    PADDLE_ENFORCE(
        bias.numel() == size,
        errors::InvalidArgument("argument 'bias': expected %d elements, got the shape %s", size, bias.dims()));
  }
  if (residual) {
    CheckSameDataType("x", x, "residual", residual);
    PADDLE_ENFORCE(residual.dims() == x.dims(),
                   errors::InvalidArgument(
                       "argument 'residual': expected the shape %s of 'x', got %s", x.dims(), residual.dims()));
  }
  const BasicDDim<Dim> rows{product(slice_ddim(x.dims(), 0, begin))};
  SetContiguous(x.dims(), x.dtype(), out);
  SetContiguous(x.dims(), x.dtype(), residual_out);
  SetContiguous(rows, AccumulateType(x.dtype()), mean);
  SetContiguous(rows, AccumulateType(x.dtype()), variance);
}

template <class Dim>
void FusedRmsNormQuantInferMeta(const MetaTensor<Dim>& x,
                                const MetaTensor<Dim>& bias,
                                const MetaTensor<Dim>& residual,
                                const MetaTensor<Dim>& norm_weight,
                                const MetaTensor<Dim>& norm_bias,
                                double epsilon,
                                int64_t begin_norm_axis,
                                double quant_scale,
                                MetaTensor<Dim>* out,
                                MetaTensor<Dim>* residual_out,
                                MetaTensor<Dim>* inv_var) {
  FusedLayerNormInferMeta(x,
                          bias,
                          residual,
                          norm_weight,
                          norm_bias,
                          epsilon,
                          begin_norm_axis,
                          quant_scale,
                          out,
                          residual_out,
                          inv_var,
                          inv_var);
}

// Scores [batch, heads, queries, keys] and a mask of one head.
template <class Dim>
void SoftmaxMaskFuseInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& mask, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims().size() == 4,
                 errors::InvalidArgument("argument 'x': expected 4 dimensions, got the shape %s", x.dims()));
  CheckSameDataType("x", x, "mask", mask);
  const BasicDDim<Dim> dims{x.dims(0), Dim(1), x.dims(2), x.dims(3)};
  PADDLE_ENFORCE(mask.dims() == dims,
                 errors::InvalidArgument("argument 'mask': expected the shape %s, got %s", dims, mask.dims()));
  SetContiguous(x.dims(), x.dtype(), out);
}

template <class Dim>
void SoftmaxMaskUpperTriangleInferMeta(const MetaTensor<Dim>& X, MetaTensor<Dim>* Out) {
  PADDLE_ENFORCE(X.dims().size() == 4 && X.dims(2) == X.dims(3),
                 errors::InvalidArgument(
                     "argument 'X': expected 4 dimensions, the last two of one size, got the shape %s", X.dims()));
  SetContiguous(X.dims(), X.dtype(), Out);
}

template <class Dim>
void FusedBiasActInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& bias,
                           const MetaTensor<Dim>& dequant_scales,
                           const MetaTensor<Dim>& shift,
                           const MetaTensor<Dim>& smooth,
                           const std::string& act_method,
                           const std::string& compute_dtype,
                           double quant_scale,
                           MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(!dequant_scales && !shift && !smooth && quant_scale <= 0,
                 errors::Unimplemented("fused_bias_act of quantized numbers; leave out 'dequant_scales', 'shift', "
                                       "'smooth' and 'quant_scale'"));
  static constexpr const char* kComputed[] = {"default", "fp16", "bf16", "fp32"};
  PADDLE_ENFORCE(
      std::ranges::find(kComputed, compute_dtype) != std::end(kComputed),
      errors::Unimplemented("argument 'compute_dtype': expected 'default', 'fp16', 'bf16' or 'fp32', got '%s'",
                            compute_dtype));
  const bool is_gated = act_method == "swiglu" || act_method == "geglu";
  PADDLE_ENFORCE(is_gated || act_method == "gelu" || act_method == "relu",
                 errors::InvalidArgument(
                     "argument 'act_method': expected 'gelu', 'relu', 'swiglu' or 'geglu', got '%s'", act_method));
  const int last = x.dims().size() - 1;
  PADDLE_ENFORCE(last >= 0, errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  BasicDDim<Dim> dims = x.dims();
  if (bias) {
    CheckSameDataType("x", x, "bias", bias);
    PADDLE_ENFORCE(
        bias.dims().size() == 1 && bias.dims(0) == dims[last],
        errors::InvalidArgument("argument 'bias': expected the shape [%s], got %s", dims[last], bias.dims()));
  }
  if (is_gated) {
    const Dim half = dims[last] / Dim(2);
    PADDLE_ENFORCE(
        half * Dim(2) == dims[last],
        errors::InvalidArgument(
            "argument 'x': expected an even number of columns for '%s', got the shape %s", act_method, x.dims()));
    dims[last] = half;
  }
  SetContiguous(dims, x.dtype(), out);
}

}  // namespace phi
