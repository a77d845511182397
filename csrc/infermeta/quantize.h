// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

// InferMeta of quantization: numbers as whole steps of a scale, one for all or one for each index of an axis.
namespace phi {

inline void CheckBits(int64_t bit_length, int64_t round_type) {
  PADDLE_ENFORCE(
      bit_length >= 1 && bit_length <= 16,
      errors::InvalidArgument("argument 'bit_length': expected a number of bits in [1, 16], got %d", bit_length));
  PADDLE_ENFORCE(round_type == 0 || round_type == 1,
                 errors::InvalidArgument(
                     "argument 'round_type': expected 0, ties to even, or 1, ties away from 0, got %d", round_type));
}

// The axis that has a scale for each index; `least` is -1 where there may be one scale for all.
template <class Dim>
void CheckQuantAxis(const MetaTensor<Dim>& x, int64_t quant_axis, int64_t least) {
  PADDLE_ENFORCE(quant_axis >= least && quant_axis <= 1,
                 errors::InvalidArgument("argument 'quant_axis': expected %s, got %d",
                                         least == 0 ? "0 or 1" : "0, 1 or, for one scale, -1",
                                         quant_axis));
  PADDLE_ENFORCE(quant_axis < x.dims().size(),
                 errors::InvalidArgument(
                     "argument 'quant_axis': expected an axis of 'x' of the shape %s, got %d", x.dims(), quant_axis));
}

// The shape of the scales; an axis of -1 is one scale for all.
template <class Dim>
BasicDDim<Dim> ScaleDims(const MetaTensor<Dim>& x, int64_t axis) {
  return {axis < 0 ? Dim(1) : x.dims(static_cast<int>(axis))};
}

template <class Dim>
void CheckScale(const char* name, const MetaTensor<Dim>& scale, const MetaTensor<Dim>& x, int64_t axis) {
  const Dim size = ScaleDims(x, axis)[0];
  PADDLE_ENFORCE(
      Same(scale.numel(), size),
      axis < 0 ? errors::InvalidArgument("argument '%s': expected one number, got the shape %s", name, scale.dims())
               : errors::InvalidArgument(
                     "argument '%s': expected %s numbers, one for each index of the axis %d of 'x', got the "
                     "shape %s",
                     name,
                     size,
                     axis,
                     scale.dims()));
}

// A number of a moving average: it may be missing in tests, and is empty then.
template <class Dim>
void InferAverage(
    const char* name, const MetaTensor<Dim>& given, const MetaTensor<Dim>& x, bool is_needed, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(given || !is_needed,
                 errors::InvalidArgument("argument '%s': expected a number unless 'is_test', got None", name));
  if (!given) return SetContiguous(BasicDDim<Dim>{Dim(0)}, x.dtype(), out);
  CheckScale<Dim>(name, given, x, -1);
  CheckSameDataType("x", x, name, given);
  SetContiguous(BasicDDim<Dim>{Dim(1)}, x.dtype(), out);
}

template <class Dim>
void CheckLinear(const MetaTensor<Dim>& x,
                 const MetaTensor<Dim>& scale,
                 const MetaTensor<Dim>& zero_point,
                 int64_t quant_axis,
                 int64_t bit_length,
                 int64_t qmax,
                 int64_t round_type) {
  CheckQuantAxis(x, quant_axis, -1);
  CheckBits(bit_length, round_type);
  PADDLE_ENFORCE(qmax >= 0, errors::InvalidArgument("argument 'qmax': expected at least 0, got %d", qmax));
  PADDLE_ENFORCE(scale, errors::InvalidArgument("argument 'scale': expected a tensor, got None"));
  CheckScale("scale", scale, x, quant_axis);
  PADDLE_ENFORCE(zero_point, errors::InvalidArgument("argument 'zero_point': expected a tensor, got None"));
}

template <class Dim>
void QuantizeLinearInferMeta(const MetaTensor<Dim>& x,
                             const MetaTensor<Dim>& scale,
                             const MetaTensor<Dim>& zero_point,
                             const MetaTensor<Dim>& in_accum,
                             const MetaTensor<Dim>& in_state,
                             int64_t quant_axis,
                             int64_t bit_length,
                             int64_t qmax,
                             int64_t round_type,
                             bool is_test,
                             MetaTensor<Dim>* y,
                             MetaTensor<Dim>* out_state,
                             MetaTensor<Dim>* out_accum,
                             MetaTensor<Dim>* out_scale) {
  CheckLinear(x, scale, zero_point, quant_axis, bit_length, qmax, round_type);
  CheckSameDataType("x", x, "scale", scale);
  const bool is_averaged = !is_test && quant_axis < 0;
  InferAverage("in_accum", in_accum, x, is_averaged, out_accum);
  InferAverage("in_state", in_state, x, is_averaged, out_state);
  SetContiguous(x.dims(), x.dtype(), y);
  SetContiguous(ScaleDims(x, quant_axis), x.dtype(), out_scale);
}

// The data type is that of the scale, unless nothing is computed.
template <class Dim>
void DequantizeLinearInferMeta(const MetaTensor<Dim>& x,
                               const MetaTensor<Dim>& scale,
                               const MetaTensor<Dim>& zero_point,
                               const MetaTensor<Dim>& in_accum,
                               const MetaTensor<Dim>& in_state,
                               int64_t quant_axis,
                               int64_t bit_length,
                               int64_t qmax,
                               int64_t round_type,
                               bool only_observer,
                               MetaTensor<Dim>* y,
                               MetaTensor<Dim>* out_state,
                               MetaTensor<Dim>* out_accum,
                               MetaTensor<Dim>* out_scale) {
  CheckLinear(x, scale, zero_point, quant_axis, bit_length, qmax, round_type);
  PADDLE_ENFORCE(
      scale.dtype() == DataType::FLOAT16 || scale.dtype() == DataType::FLOAT32 || scale.dtype() == DataType::FLOAT64,
      errors::InvalidType("argument 'scale': expected float16, float32 or float64, got %s",
                          DataTypeName(scale.dtype())));
  InferAverage("in_accum", in_accum, scale, false, out_accum);
  InferAverage("in_state", in_state, scale, false, out_state);
  SetContiguous(x.dims(), only_observer ? x.dtype() : scale.dtype(), y);
  SetContiguous(ScaleDims(x, quant_axis), scale.dtype(), out_scale);
}

template <class Dim>
void FakeQuantizeAbsMaxInferMeta(const MetaTensor<Dim>& x,
                                 int64_t bit_length,
                                 int64_t round_type,
                                 MetaTensor<Dim>* out,
                                 MetaTensor<Dim>* out_scale) {
  CheckBits(bit_length, round_type);
  SetContiguous(x.dims(), x.dtype(), out);
  SetContiguous(BasicDDim<Dim>{Dim(1)}, x.dtype(), out_scale);
}

template <class Dim>
void FakeChannelWiseQuantizeDequantizeAbsMaxInferMeta(const MetaTensor<Dim>& x,
                                                      int64_t bit_length,
                                                      int64_t round_type,
                                                      int64_t quant_axis,
                                                      MetaTensor<Dim>* out,
                                                      MetaTensor<Dim>* out_scale) {
  CheckBits(bit_length, round_type);
  CheckQuantAxis(x, quant_axis, 0);
  SetContiguous(x.dims(), x.dtype(), out);
  SetContiguous(ScaleDims(x, quant_axis), x.dtype(), out_scale);
}

template <class Dim>
void FakeChannelWiseQuantizeAbsMaxInferMeta(const MetaTensor<Dim>& x,
                                            int64_t bit_length,
                                            int64_t round_type,
                                            int64_t quant_axis,
                                            bool is_test,
                                            MetaTensor<Dim>* out,
                                            MetaTensor<Dim>* out_scale) {
  PADDLE_ENFORCE(!is_test,
                 errors::Unimplemented("argument 'is_test': expected false, as no argument has the scales of a test, "
                                       "got true; use quantize_linear"));
  FakeChannelWiseQuantizeDequantizeAbsMaxInferMeta(x, bit_length, round_type, quant_axis, out, out_scale);
}

template <class Dim>
void FakeQuantizeMovingAverageAbsMaxInferMeta(const MetaTensor<Dim>& x,
                                              const MetaTensor<Dim>& in_scale,
                                              const MetaTensor<Dim>& in_accum,
                                              const MetaTensor<Dim>& in_state,
                                              int64_t bit_length,
                                              bool is_test,
                                              int64_t round_type,
                                              MetaTensor<Dim>* out,
                                              MetaTensor<Dim>* out_scale,
                                              MetaTensor<Dim>* out_state,
                                              MetaTensor<Dim>* out_accum) {
  CheckScale<Dim>("in_scale", in_scale, x, -1);
  CheckSameDataType("x", x, "in_scale", in_scale);
  InferAverage("in_accum", in_accum, x, !is_test, out_accum);
  InferAverage("in_state", in_state, x, !is_test, out_state);
  FakeQuantizeAbsMaxInferMeta(x, bit_length, round_type, out, out_scale);
}

// There is no scale in tests.
template <class Dim>
void MovingAverageAbsMaxScaleInferMeta(const MetaTensor<Dim>& x,
                                       const MetaTensor<Dim>& in_accum,
                                       const MetaTensor<Dim>& in_state,
                                       bool is_test,
                                       MetaTensor<Dim>* out,
                                       MetaTensor<Dim>* out_scale,
                                       MetaTensor<Dim>* out_state,
                                       MetaTensor<Dim>* out_accum) {
  InferAverage("in_accum", in_accum, x, !is_test, out_accum);
  InferAverage("in_state", in_state, x, !is_test, out_state);
  SetContiguous(x.dims(), x.dtype(), out);
  SetContiguous(BasicDDim<Dim>{Dim(is_test ? 0 : 1)}, x.dtype(), out_scale);
}

}  // namespace phi
