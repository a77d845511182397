// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/quantize.h"
#include "infermeta/set_contiguous.h"

// InferMeta of what makes numbers of steps again.
namespace phi {

template <class Dim>
void FakeDequantizeMaxAbsInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& scale, MetaTensor<Dim>* out) {
  CheckScale<Dim>("scale", scale, x, -1);
  CheckSameDataType("x", x, "scale", scale);
  SetContiguous(x.dims(), x.dtype(), out);
}

// The scales of an axis of weights, or those of the axis `x_num_col_dims` of a product and that of its input.
template <class Dim>
void FakeChannelWiseDequantizeMaxAbsInferMeta(const MetaTensor<Dim>& x,
                                              const std::vector<const MetaTensor<Dim>*>& scales,
                                              const std::vector<int>& quant_bits,
                                              int64_t quant_axis,
                                              int64_t x_num_col_dims,
                                              MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(scales.size() == 1 || scales.size() == 2,
                 errors::InvalidArgument("argument 'scales': expected one tensor or two, got %d", scales.size()));
  PADDLE_ENFORCE(quant_bits.size() >= scales.size(),
                 errors::InvalidArgument("argument 'quant_bits': expected a number for each of the %d 'scales', got %d",
                                         scales.size(),
                                         quant_bits.size()));
  for (const int bits : quant_bits) {
    PADDLE_ENFORCE(bits >= 1 && bits <= 16,
                   errors::InvalidArgument("argument 'quant_bits': expected numbers of bits in [1, 16], got %d", bits));
  }
  CheckQuantAxis(x, quant_axis, 0);
  PADDLE_ENFORCE(
      x_num_col_dims >= 1 && (scales.size() == 1 || x_num_col_dims < x.dims().size()),
      errors::InvalidArgument("argument 'x_num_col_dims': expected an axis of 'x' of the shape %s behind the "
                              "first one, got %d",
                              x.dims(),
                              x_num_col_dims));
  CheckScale("scales", *scales[0], x, scales.size() == 1 ? quant_axis : x_num_col_dims);
  if (scales.size() == 2) CheckScale<Dim>("scales", *scales[1], x, -1);
  for (const MetaTensor<Dim>* scale : scales) CheckSameDataType("x", x, "scales", *scale);
  SetContiguous(x.dims(), x.dtype(), out);
}

template <class Dim>
void DequantizeAbsMaxInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& scale, MetaTensor<Dim>* out) {
  CheckScale<Dim>("scale", scale, x, -1);
  PADDLE_ENFORCE(scale.dtype() == DataType::FLOAT32,
                 errors::InvalidType("argument 'scale': expected float32, got %s", DataTypeName(scale.dtype())));
  SetContiguous(x.dims(), DataType::FLOAT32, out);
}

template <class Dim>
void DequantizeLogInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& dict, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(dict.dtype() == DataType::FLOAT32,
                 errors::InvalidType("argument 'dict': expected float32, got %s", DataTypeName(dict.dtype())));
  PADDLE_ENFORCE(dict.numel() == Dim(128),
                 errors::InvalidArgument("argument 'dict': expected 128 numbers, got the shape %s", dict.dims()));
  SetContiguous(x.dims(), DataType::FLOAT32, out);
}

}  // namespace phi
