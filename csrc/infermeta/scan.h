// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/reduction.h"

// Scans along a dimension, and what is chosen from one.
namespace phi {

template <class Dim>
void UnchangedCheckAxisInferMeta(const MetaTensor<Dim>& x, int64_t axis, MetaTensor<Dim>* out) {
  CanonicalAxis(axis, x.dims().size());
  ReduceGradInferMeta(x, out);
}

// The shape of x, which `flatten` makes one dimension; an integer or bool gives float32.
template <class Dim>
void CumInferMeta(const MetaTensor<Dim>& x, int64_t axis, bool flatten, MetaTensor<Dim>* out) {
  CumScalarAxisInferMeta(x, Scalar(axis), flatten, false, false, out);
  if (!IsFloatingType(x.dtype())) out->set_dtype(DataType::FLOAT32);
}

template <class Dim>
void CumWithIndicesInferMeta(
    const MetaTensor<Dim>& x, int64_t axis, DataType dtype, MetaTensor<Dim>* out, MetaTensor<Dim>* indices) {
  const int dim = CanonicalAxis(axis, x.dims().size());
  const Dim count = x.dims().size() == 0 ? Dim(1) : x.dims(dim);
  PADDLE_ENFORCE(
      dtype == DataType::INT64 || (dtype == DataType::INT32 && count <= std::numeric_limits<int32_t>::max()),
      errors::InvalidArgument(
          "argument 'dtype': expected int64 for the indices of %s elements, or int32 for fewer than 2^31, got %s",
          count,
          DataTypeName(dtype)));
  ReduceGradInferMeta(x, out);
  indices->set_dims(x.dims());
  indices->set_dtype(dtype);
}

// One element of each line along the axis, and its index.
template <class Dim>
void ModeInferMeta(
    const MetaTensor<Dim>& x, int64_t axis, bool keepdim, MetaTensor<Dim>* out, MetaTensor<Dim>* indices) {
  StrictReduceInferMeta(x, std::vector<int64_t>{axis}, keepdim, out);
  indices->set_dims(out->dims());
  indices->set_dtype(DataType::INT64);
}

template <class Dim>
void KthvalueInferMeta(
    const MetaTensor<Dim>& x, int64_t k, int64_t axis, bool keepdim, MetaTensor<Dim>* out, MetaTensor<Dim>* indices) {
  const int dim = CanonicalAxis(axis, x.dims().size());
  const Dim size = x.dims().size() == 0 ? Dim(1) : x.dims(dim);
  PADDLE_ENFORCE(k >= 1 && size >= k,
                 errors::InvalidArgument(
                     "argument 'k': expected a value from 1 to %d, the size of axis %d of x, got %d", size, dim, k));
  ModeInferMeta(x, axis, keepdim, out, indices);
}

template <class Dim>
void FullWithTensorInferMeta(const MetaTensor<Dim>& value,
                             const IntArrayBase<Dim>& shape,
                             DataType dtype,
                             MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(value.numel() == 1,
                 errors::InvalidArgument("argument 'value': expected one element, got the shape %s", value.dims()));
  for (const Dim& size : shape) {
    PADDLE_ENFORCE(size >= 0, errors::InvalidArgument("argument 'shape': expected sizes of at least 0, got %d", size));
  }
  out->set_dims(BasicDDim<Dim>(shape.begin(), static_cast<int64_t>(shape.size())));
  out->set_dtype(dtype == DataType::UNDEFINED ? value.dtype() : dtype);
}

}  // namespace phi
