// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/set_contiguous.h"

// InferMeta functions decide the shape, dtype and strides of the outputs, and make all checks that users see.
// Dim is int64_t (eager) or c10::SymInt (torch.compile, export), so never convert a Dim to a number.
namespace phi {

template <class Dim>
void UnchangedInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  out->share_meta(x);
}

// Meta of x; an integer or bool gives float32.
template <class Dim>
void FloatingInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  out->share_meta(x);
  if (!IsFloatingType(x.dtype()) && !IsComplexType(x.dtype())) out->set_dtype(DataType::FLOAT32);
}

// Integers have no negative powers.
template <class Dim>
void PowInferMeta(const MetaTensor<Dim>& x, const Scalar& y, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      !IsIntegralType(x.dtype()) || y.to<int64_t>() >= 0,
      errors::InvalidArgument("argument 'y': expected at least 0 for integers, got %d; cast 'x' first", y.to<int>()));
  out->share_meta(x);
}

// Meta of x, real: the parts or the size of complex numbers.
template <class Dim>
void RealAndImagInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  out->share_meta(x);
  if (IsComplexType(x.dtype())) out->set_dtype(ToReal(x.dtype()));
}

template <class Dim>
void IncrementInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.numel() == 1,
                 errors::InvalidArgument("argument 'x': expected one element, got the shape %s", x.dims()));
  out->share_meta(x);
}

template <class Dim>
void CeluInferMeta(const MetaTensor<Dim>& x, double alpha, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(alpha != 0, errors::InvalidArgument("argument 'alpha': expected another number than 0"));
  out->share_meta(x);
}

template <class Dim>
void LogicalNotInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  out->share_meta(x);
  out->set_dtype(DataType::BOOL);
}

template <class Dim>
void ClipInferMeta(const MetaTensor<Dim>& x, const Scalar& min, const Scalar& max, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      min.to<double>() <= max.to<double>(),
      errors::InvalidArgument(
          "argument 'max': expected at least 'min', which is %f, got %f", min.to<double>(), max.to<double>()));
  out->share_meta(x);
}

template <class Dim>
void CastInferMeta(const MetaTensor<Dim>& x, DataType dtype, MetaTensor<Dim>* out) {
  const bool is_unsigned = dtype == DataType::UINT16 || dtype == DataType::UINT32 || dtype == DataType::UINT64;
  const bool is_integer = dtype == DataType::BOOL || (IsIntegralType(dtype) && !is_unsigned);
  PADDLE_ENFORCE(is_integer || IsFloatingType(dtype) || IsComplexType(dtype),
                 errors::InvalidArgument("argument 'dtype': expected bool, uint8, a signed integer, or a floating or "
                                         "complex type, got %s",
                                         DataTypeName(dtype)));
  out->share_meta(x);
  out->set_dtype(dtype);
}

}  // namespace phi
