// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/data_types.h"
#include "infermeta/unary_view.h"

// InferMeta of the ops that copy parts of tensors to other places.
namespace phi {

template <class Dim>
void StackInferMeta(const std::vector<const MetaTensor<Dim>*>& x, int64_t axis, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(!x.empty(), errors::InvalidArgument("argument 'x': expected at least one tensor, got none"));
  const BasicDDim<Dim>& first = x[0]->dims();
  const int place = CanonicalAxis(axis, first.size() + 1);
  for (size_t i = 1; i < x.size(); ++i) {
    PADDLE_ENFORCE(x[i]->dtype() == x[0]->dtype(),
                   errors::InvalidType("argument 'x': expected tensors of one data type, got %s at 0 and %s at %d",
                                       DataTypeName(x[0]->dtype()),
                                       DataTypeName(x[i]->dtype()),
                                       i));
    PADDLE_ENFORCE(x[i]->dims() == first,
                   errors::InvalidArgument(
                       "argument 'x': expected equal shapes, got %s at 0 and %s at %d", first, x[i]->dims(), i));
  }
  BasicDDim<Dim> dims = slice_ddim(first, 0, place);
  dims.push_back(Dim(static_cast<int64_t>(x.size())));
  for (int i = place; i < first.size(); ++i) dims.push_back(first[i]);
  out->set_dims(dims);
  out->set_dtype(x[0]->dtype());
}

template <class Dim>
void StackGradInferMeta(const MetaTensor<Dim>& out_grad, int64_t axis, std::vector<MetaTensor<Dim>*> x_grad) {
  UnbindInferMeta(out_grad, axis, std::move(x_grad));
}

template <class Dim>
void TileInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& repeat_times, MetaTensor<Dim>* out) {
  const BasicDDim<Dim> repeats(repeat_times.begin(), static_cast<int64_t>(repeat_times.size()));
  const int rank = std::max(x.dims().size(), repeats.size());
  BasicDDim<Dim> dims(rank, Dim(1));
  for (int i = 0; i < x.dims().size(); ++i) dims[rank - x.dims().size() + i] = x.dims(i);
  for (int i = 0; i < repeats.size(); ++i) {
    PADDLE_ENFORCE(
        repeats[i] >= 0,
        errors::InvalidArgument("argument 'repeat_times': expected no negative number, got %d at %d", repeats[i], i));
    Dim& dim = dims[rank - repeats.size() + i];
    dim = CheckedMultiply(dim, repeats[i]);
  }
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

// x with the dimension `axis` replaced by those of `index`, which is a vector, a column, or one number.
template <class Dim>
void InferTakenDims(const MetaTensor<Dim>& x, const MetaTensor<Dim>& index, int64_t axis, MetaTensor<Dim>* out) {
  CheckIndexType("index", index);
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  const int rank = index.dims().size();
  PADDLE_ENFORCE(rank <= 1 || (rank == 2 && index.dims(1) == 1),
                 errors::InvalidArgument("argument 'index': expected a vector, or a matrix with one column, got the "
                                         "shape %s",
                                         index.dims()));
  const int place = CanonicalAxis(axis, x.dims().size());
  BasicDDim<Dim> dims = slice_ddim(x.dims(), 0, place);
  if (rank > 0) dims.push_back(index.dims(0));
  for (int i = place + 1; i < x.dims().size(); ++i) dims.push_back(x.dims(i));
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void GatherInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& index, const Scalar& axis, MetaTensor<Dim>* out) {
  InferTakenDims(x, index, axis.to<int64_t>(), out);
}

template <class Dim>
void IndexSelectInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& index, int64_t axis, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(index.dims().size() > 0,
                 errors::InvalidArgument("argument 'index': expected a vector, got a tensor without dimensions"));
  InferTakenDims(x, index, axis, out);
}

template <class Dim>
void OneHotInferMeta(const MetaTensor<Dim>& x, const Scalar& num_classes, MetaTensor<Dim>* out) {
  CheckIndexType("x", x);
  const int64_t count = num_classes.to<int64_t>();
  PADDLE_ENFORCE(count >= 0,
                 errors::InvalidArgument("argument 'num_classes': expected no negative number, got %d", count));
  BasicDDim<Dim> dims = x.dims();
  dims.push_back(Dim(count));
  out->set_dims(dims);
  out->set_dtype(DataType::FLOAT32);
}

template <class Dim>
void TrilInferMeta(const MetaTensor<Dim>& x, int64_t diagonal, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims().size() >= 2,
                 errors::InvalidArgument("argument 'x': expected at least 2 dimensions, got the shape %s", x.dims()));
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
}

}  // namespace phi
