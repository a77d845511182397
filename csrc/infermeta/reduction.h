// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>

#include "infermeta/unary.h"

namespace phi {

// For each dimension whether `axis`, of values in [-rank, rank), names it; an empty `axis` names all.
template <class Dim>
std::array<bool, BasicDDim<Dim>::kMaxRank> ReducedAxes(const IntArrayBase<Dim>& axis, int rank) {
  std::array<bool, BasicDDim<Dim>::kMaxRank> reduced = {};
  if (axis.empty()) reduced.fill(true);
  const int limit = rank == 0 ? 1 : rank;
  for (const Dim& a : axis) {
    int found = -1;
    for (int i = 0; i < limit && found < 0; ++i) {
      if (a == i || a == i - limit) found = i;
    }
    PADDLE_ENFORCE(found >= 0,
                   errors::OutOfRange("argument 'axis': expected values in [%d, %d), got %d", -limit, limit, a));
    PADDLE_ENFORCE(
        !reduced[found],
        errors::InvalidArgument("argument 'axis': expected each dimension once, got dimension %d again", found));
    reduced[found] = true;
  }
  return reduced;
}

// Shape without the reduced dimensions, or with 1 in their place; dtype of x.
template <class Dim>
void ReduceIntArrayAxisInferMeta(const MetaTensor<Dim>& x,
                                 const IntArrayBase<Dim>& axis,
                                 bool keepdim,
                                 MetaTensor<Dim>* out) {
  const auto reduced = ReducedAxes(axis, x.dims().size());
  BasicDDim<Dim> dims;
  for (int i = 0; i < x.dims().size(); ++i) {
    if (!reduced[i]) {
      dims.push_back(x.dims(i));
    } else if (keepdim) {
      dims.push_back(Dim(1));
    }
  }
  out->set_dims(dims);
  out->set_dtype(x.dtype());
  out->set_layout(x.layout());
}

// A maximum or minimum of no elements does not exist.
template <class Dim>
void CheckNotEmpty(const MetaTensor<Dim>& x, const Dim& count, const char* reduced) {
  PADDLE_ENFORCE(count != 0,
                 errors::InvalidArgument("argument 'x': expected at least one element to reduce, got the shape %s, "
                                         "which has none %s",
                                         x.dims(),
                                         reduced));
}

// As ReduceIntArrayAxisInferMeta, for reductions that need an element.
template <class Dim>
void StrictReduceIntArrayAxisInferMeta(const MetaTensor<Dim>& x,
                                       const IntArrayBase<Dim>& axis,
                                       bool keepdim,
                                       MetaTensor<Dim>* out) {
  const auto reduced = ReducedAxes(axis, x.dims().size());
  for (int i = 0; i < x.dims().size(); ++i) {
    if (reduced[i]) CheckNotEmpty(x, x.dims(i), "along 'axis'");
  }
  ReduceIntArrayAxisInferMeta(x, axis, keepdim, out);
}

// Indices along one dimension, or with `flatten` in the flattened x.
template <class Dim>
void ArgMinMaxInferMeta(
    const MetaTensor<Dim>& x, const Scalar& axis, bool keepdims, bool flatten, DataType dtype, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      dtype == DataType::INT32 || dtype == DataType::INT64,
      errors::InvalidArgument("argument 'dtype': expected int32 or int64 for indices, got %s", DataTypeName(dtype)));
  const int rank = x.dims().size();
  const int dim = flatten ? 0 : CanonicalAxis(axis.to<int64_t>(), rank);
  const Dim count = flatten ? product(x.dims()) : rank == 0 ? Dim(1) : x.dims(dim);
  CheckNotEmpty(x, count, flatten ? "at all" : "along 'axis'");
  PADDLE_ENFORCE(dtype == DataType::INT64 || count <= std::numeric_limits<int32_t>::max(),
                 errors::InvalidArgument("argument 'dtype': %d elements need indices of int64, got int32", count));
  BasicDDim<Dim> dims;
  for (int i = 0; i < rank; ++i) {
    if (!flatten && i != dim) {
      dims.push_back(x.dims(i));
    } else if (keepdims) {
      dims.push_back(Dim(1));
    }
  }
  out->set_dims(dims);
  out->set_dtype(dtype);
}

// The shape of x, which `flatten` makes one dimension.
template <class Dim>
void CumScalarAxisInferMeta(
    const MetaTensor<Dim>& x, const Scalar& axis, bool flatten, bool, bool, MetaTensor<Dim>* out) {
  const BasicDDim<Dim> dims = flatten ? BasicDDim<Dim>{product(x.dims())} : x.dims();
  CanonicalAxis(axis.to<int64_t>(), dims.size());
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

// Integers and bool are summed as int64 unless `dtype` says otherwise.
template <class Dim>
void SumInferMeta(
    const MetaTensor<Dim>& x, const IntArrayBase<Dim>& axis, DataType dtype, bool keepdim, MetaTensor<Dim>* out) {
  ReduceIntArrayAxisInferMeta(x, axis, keepdim, out);
  const bool widens = x.dtype() == DataType::BOOL || IsIntegralType(x.dtype());
  out->set_dtype(dtype != DataType::UNDEFINED ? dtype : widens ? DataType::INT64 : x.dtype());
}

// x may be known by its shape alone, so its strides do not count.
template <class Dim>
void ReduceGradInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* x_grad) {
  x_grad->set_dims(x.dims());
  x_grad->set_dtype(x.dtype());
  x_grad->set_layout(x.layout());
}

}  // namespace phi
