// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

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
