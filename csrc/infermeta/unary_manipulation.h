// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/list_size.h"
#include "infermeta/view_dims.h"

// InferMeta of the ops that rearrange one tensor.
namespace phi {

template <class Dim>
void ReshapeInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& shape, MetaTensor<Dim>* out) {
  out->set_dims(ReshapedDims(x.dims(), shape));
  out->set_dtype(x.dtype());
}

template <class Dim>
void TransposeInferMeta(const MetaTensor<Dim>& x, const std::vector<int>& perm, MetaTensor<Dim>* out) {
  const DDim axes = CanonicalPermutation(perm, x.dims().size());
  BasicDDim<Dim> dims = x.dims();
  for (int i = 0; i < dims.size(); ++i) dims[i] = x.dims(axes[i]);
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void SplitInferMeta(const MetaTensor<Dim>& x,
                    const IntArrayBase<Dim>& sections,
                    const Scalar& axis,
                    std::vector<MetaTensor<Dim>*> out) {
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  const int dim = CanonicalAxis(axis.to<int64_t>(), x.dims().size());
  int unknown = -1;
  Dim known = 0;
  for (int i = 0; i < static_cast<int>(sections.size()); ++i) {
    if (sections[i] == -1) {
      PADDLE_ENFORCE(
          unknown < 0,
          errors::InvalidArgument("argument 'sections': expected at most one -1, got it at %d and %d", unknown, i));
      unknown = i;
      continue;
    }
    PADDLE_ENFORCE(
        sections[i] >= 0,
        errors::InvalidArgument("argument 'sections': expected sizes or -1 (inferred), got %d at %d", sections[i], i));
    known = known + sections[i];
  }
  const Dim size = x.dims(dim);
  PADDLE_ENFORCE(
      unknown < 0 ? known == size : known <= size,
      errors::InvalidArgument(
          "argument 'sections': expected sizes that add up to %d, the size of axis %d of x, got %d", size, dim, known));
  ExpectListSize("out", out, Dim(static_cast<int64_t>(sections.size())));
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i] == nullptr) continue;
    BasicDDim<Dim> dims = x.dims();
    dims[dim] = static_cast<int>(i) == unknown ? size - known : sections[i];
    out[i]->set_dims(dims);
    out[i]->set_dtype(x.dtype());
  }
}

template <class Dim>
void SplitWithNumInferMeta(const MetaTensor<Dim>& x,
                           int64_t num,
                           const Scalar& axis,
                           std::vector<MetaTensor<Dim>*> out) {
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  PADDLE_ENFORCE(num > 0, errors::InvalidArgument("argument 'num': expected at least 1, got %d", num));
  const int dim = CanonicalAxis(axis.to<int64_t>(), x.dims().size());
  const Dim size = x.dims(dim);
  const Dim part = size / Dim(num);
  PADDLE_ENFORCE(part * Dim(num) == size,
                 errors::InvalidArgument(
                     "argument 'num': expected a divisor of %d, the size of axis %d of x, got %d", size, dim, num));
  ExpectListSize("out", out, Dim(num));
  for (MetaTensor<Dim>* piece : out) {
    if (piece == nullptr) continue;
    BasicDDim<Dim> dims = x.dims();
    dims[dim] = part;
    piece->set_dims(dims);
    piece->set_dtype(x.dtype());
  }
}

template <class Dim>
void TopKInferMeta(const MetaTensor<Dim>& x,
                   const Scalar& k,
                   int64_t axis,
                   bool largest,
                   bool sorted,
                   MetaTensor<Dim>* out,
                   MetaTensor<Dim>* indices) {
  const int64_t count = k.to<int64_t>();
  BasicDDim<Dim> dims = x.dims();
  const int dim = CanonicalAxis(axis, dims.size());
  PADDLE_ENFORCE(count >= 1, errors::InvalidArgument("argument 'k': expected at least 1, got %d", count));
  if (dims.size() > 0) {
    PADDLE_ENFORCE(
        dims[dim] >= count,
        errors::InvalidArgument(
            "argument 'k': expected a value from 1 to %d, the size of axis %d of x, got %d", dims[dim], dim, count));
    dims[dim] = Dim(count);
  }
  out->set_dims(dims);
  out->set_dtype(x.dtype());
  indices->set_dims(dims);
  indices->set_dtype(DataType::INT64);
}

}  // namespace phi
