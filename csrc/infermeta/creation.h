// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// Only complex types hold complex numbers, and integer types only finite numbers of their range.
inline void CheckValueFits(const Scalar& value, DataType dtype, const char* argument = "value") {
  if (IsComplexType(dtype)) return;
  const complex128 number = value.to<complex128>();
  PADDLE_ENFORCE(number.imag() == 0,
                 errors::InvalidArgument("argument '%s': expected a real number, which %s can hold, got %f + %f i",
                                         argument,
                                         DataTypeName(dtype),
                                         number.real(),
                                         number.imag()));
  if (!IsIntegralType(dtype)) return;
  const int bits = static_cast<int>(SizeOf(dtype)) * 8;
  const bool is_signed =
      dtype == DataType::INT8 || dtype == DataType::INT16 || dtype == DataType::INT32 || dtype == DataType::INT64;
  const double v = std::trunc(value.to<double>());
  const double low = is_signed ? -std::ldexp(1.0, bits - 1) : 0.0;
  const double end = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  // every int64 fits int64, though not every one is a double below 2^63
  const bool exact = dtype == DataType::INT64 && !IsFloatingType(value.dtype());
  PADDLE_ENFORCE(exact || (v >= low && v < end),
                 errors::InvalidArgument("argument '%s': expected a number that %s can hold, got %f",
                                         argument,
                                         DataTypeName(dtype),
                                         value.to<double>()));
}

template <class Dim>
void CreateInferMeta(const IntArrayBase<Dim>& shape, DataType dtype, MetaTensor<Dim>* out) {
  for (const Dim& size : shape) {
    PADDLE_ENFORCE(size >= 0, errors::InvalidArgument("argument 'shape': expected sizes of at least 0, got %d", size));
  }
  out->set_dims(BasicDDim<Dim>(shape.begin(), static_cast<int64_t>(shape.size())));
  out->set_dtype(dtype);
}

template <class Dim>
void FullInferMeta(const IntArrayBase<Dim>& shape, const Scalar& value, DataType dtype, MetaTensor<Dim>* out) {
  CheckValueFits(value, dtype);
  CreateInferMeta(shape, dtype, out);
}

// A shape of which one size is one of `input`.
template <class Dim>
void FullBatchSizeLikeInferMeta(const MetaTensor<Dim>& input,
                                const std::vector<int>& shape,
                                const Scalar& value,
                                DataType dtype,
                                int64_t input_dim_idx,
                                int64_t output_dim_idx,
                                MetaTensor<Dim>* out) {
  CheckValueFits(value, dtype);
  PADDLE_ENFORCE(!shape.empty() && input.dims().size() > 0,
                 errors::InvalidArgument("argument 'shape': expected at least one size, and an input of at least one "
                                         "dimension, got %d sizes and an input of the shape %s",
                                         shape.size(),
                                         input.dims()));
  const int from = CanonicalAxis(input_dim_idx, input.dims().size(), "input_dim_idx");
  const int to = CanonicalAxis(output_dim_idx, static_cast<int>(shape.size()), "output_dim_idx");
  BasicDDim<Dim> dims;
  for (int i = 0; i < static_cast<int>(shape.size()); ++i) {
    PADDLE_ENFORCE(i == to || shape[i] >= 0,
                   errors::InvalidArgument(
                       "argument 'shape': expected sizes of at least 0 but along axis %d, got %d", to, shape[i]));
    dims.push_back(i == to ? input.dims(from) : Dim(shape[i]));
  }
  SetContiguous(dims, dtype, out);
}

// Shape and strides of x.
template <class Dim>
void FullLikeInferMeta(const MetaTensor<Dim>& x, const Scalar& value, DataType dtype, MetaTensor<Dim>* out) {
  out->share_meta(x);
  if (dtype != DataType::UNDEFINED) out->set_dtype(dtype);
  CheckValueFits(value, out->dtype());
}

// The number of steps from start, before end is reached: none if they lead away from it.
inline int64_t ArangeLength(const Scalar& start, const Scalar& end, const Scalar& step, DataType dtype) {
  constexpr const char* kNoStep = "argument 'step': expected a number other than 0 as %s, got %f";
  if (IsFloatingType(dtype)) {
    const double from = start.to<double>(), to = end.to<double>(), by = step.to<double>();
    PADDLE_ENFORCE(
        std::isfinite(from) && std::isfinite(to) && std::isfinite(by),
        errors::InvalidArgument("arange: expected finite start, end and step, got %f, %f and %f", from, to, by));
    PADDLE_ENFORCE(by != 0, errors::InvalidArgument(kNoStep, DataTypeName(dtype), by));
    if ((to > from) != (by > 0)) return 0;
    const double length = std::ceil((to - from) / by);
    PADDLE_ENFORCE(length < 0x1p62, errors::InvalidArgument("arange: %f elements are too many", length));
    return static_cast<int64_t>(length);
  }
  CheckValueFits(start, DataType::INT64, "start");
  CheckValueFits(end, DataType::INT64, "end");
  CheckValueFits(step, DataType::INT64, "step");
  const int64_t from = start.to<int64_t>(), to = end.to<int64_t>(), by = step.to<int64_t>();
  PADDLE_ENFORCE(by != 0, errors::InvalidArgument(kNoStep, DataTypeName(dtype), step.to<double>()));
  if ((to > from) != (by > 0)) return 0;
  const uint64_t distance = to > from ? uint64_t(to) - uint64_t(from) : uint64_t(from) - uint64_t(to);
  const uint64_t stride = by > 0 ? uint64_t(by) : 0 - uint64_t(by);
  return static_cast<int64_t>(distance / stride + (distance % stride != 0));
}

// start, end and step are taken as integers for an integer dtype.
template <class Dim>
void ArangeInferMeta(const Scalar& start, const Scalar& end, const Scalar& step, DataType dtype, MetaTensor<Dim>* out) {
  out->set_dims({Dim(ArangeLength(start, end, step, dtype))});
  out->set_dtype(dtype);
}

// As many columns as rows for -1 columns.
template <class Dim>
void EyeInferMeta(const Scalar& num_rows, const Scalar& num_columns, DataType dtype, MetaTensor<Dim>* out) {
  const int64_t rows = num_rows.to<int64_t>(), given = num_columns.to<int64_t>();
  const int64_t columns = given == -1 ? rows : given;
  PADDLE_ENFORCE(
      rows >= 0 && columns >= 0,
      errors::InvalidArgument(
          "arguments 'num_rows' and 'num_columns': expected sizes of at least 0, got %d and %d", rows, given));
  out->set_dims({Dim(rows), Dim(columns)});
  out->set_dtype(dtype);
}

// Shape and strides of x.
template <class Dim>
void CreateLikeInferMeta(const MetaTensor<Dim>& x, DataType dtype, MetaTensor<Dim>* out) {
  out->share_meta(x);
  if (dtype != DataType::UNDEFINED) out->set_dtype(dtype);
}

// A number for each dimension.
template <class Dim>
void ShapeInferMeta(const MetaTensor<Dim>& input, MetaTensor<Dim>* out) {
  out->set_dims({Dim(input.dims().size())});
  out->set_dtype(DataType::INT32);
}

template <class Dim>
void Shape64InferMeta(const MetaTensor<Dim>& input, MetaTensor<Dim>* out) {
  ShapeInferMeta(input, out);
  out->set_dtype(DataType::INT64);
}

template <class Dim>
void NumelInferMeta(const MetaTensor<Dim>&, MetaTensor<Dim>* size) {
  size->set_dims({});
  size->set_dtype(DataType::INT64);
}

template <class Dim>
void GaussianInferMeta(const IntArrayBase<Dim>& shape, double std, DataType dtype, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(std >= 0, errors::InvalidArgument("argument 'std': expected a number of at least 0, got %f", std));
  CreateInferMeta(shape, dtype, out);
}

template <class Dim>
void UniformInferMeta(
    const IntArrayBase<Dim>& shape, DataType dtype, const Scalar& min, const Scalar& max, MetaTensor<Dim>* out) {
  const double low = min.to<double>(), high = max.to<double>();
  PADDLE_ENFORCE(
      std::isfinite(low) && std::isfinite(high) && std::isfinite(high - low),
      errors::InvalidArgument("arguments 'min' and 'max': expected a finite range, got %f and %f", low, high));
  CreateInferMeta(shape, dtype, out);
}

inline void CheckDropout(const Scalar& p, const std::string& mode) {
  const double probability = p.to<double>();
  PADDLE_ENFORCE(probability >= 0 && probability <= 1,
                 errors::InvalidArgument("argument 'p': expected a probability in [0, 1], got %f", probability));
  PADDLE_ENFORCE(
      mode == "downgrade_in_infer" || mode == "upscale_in_train",
      errors::InvalidArgument("argument 'mode': expected 'downgrade_in_infer' or 'upscale_in_train', got '%s'", mode));
}

// The mask has the shape of x, and is empty in inference, where nothing is dropped.
template <class Dim>
void DropoutInferMeta(const MetaTensor<Dim>& x,
                      const MetaTensor<Dim>& seed_tensor,
                      const Scalar& p,
                      bool is_test,
                      const std::string& mode,
                      MetaTensor<Dim>* out,
                      MetaTensor<Dim>* mask) {
  CheckDropout(p, mode);
  PADDLE_ENFORCE(
      !seed_tensor || (seed_tensor.numel() == 1 && seed_tensor.dtype() == DataType::INT32),
      errors::InvalidArgument("argument 'seed_tensor': expected one element of int32, got the shape %s of %s",
                              seed_tensor.dims(),
                              DataTypeName(seed_tensor.dtype())));
  out->share_meta(x);
  if (!mask) return;
  if (is_test) {
    mask->set_dims({Dim(0)});
  } else {
    mask->set_dims(x.dims());
  }
  mask->set_dtype(DataType::UINT8);
}

template <class Dim>
void DropoutGradInferMeta(const MetaTensor<Dim>& out_grad,
                          const Scalar& p,
                          const std::string& mode,
                          MetaTensor<Dim>* x_grad) {
  CheckDropout(p, mode);
  x_grad->share_meta(out_grad);
}

}  // namespace phi
