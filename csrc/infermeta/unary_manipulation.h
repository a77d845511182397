// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/unary.h"

// InferMeta of the ops that rearrange one tensor.
namespace phi {

// Zero-sized tensors: what -1 stands for follows from the dimensions that are not zero.
template <class Dim>
Dim InferUnknownDim(const BasicDDim<Dim>& x, const BasicDDim<Dim>& wanted, int unknown) {
  Dim from = 1;
  Dim known = 1;
  for (const Dim& d : x) from = d == 0 ? from : from * d;
  for (int i = 0; i < wanted.size(); ++i) known = i == unknown || wanted[i] == 0 ? known : known * wanted[i];
  const Dim inferred = from / known;
  PADDLE_ENFORCE(
      inferred * known == from,
      errors::InvalidArgument("argument 'shape': dimension %d is -1, but no value of it makes %s out of x, which "
                              "has the shape %s",
                              unknown,
                              wanted,
                              x));
  return inferred;
}

// `shape` with 0 replaced by the dimension of x and -1 inferred. A 0 is itself where x has no elements, and its
// dimension does not fit.
template <class Dim>
BasicDDim<Dim> ReshapedDims(const BasicDDim<Dim>& x, const IntArrayBase<Dim>& shape) {
  BasicDDim<Dim> dims(static_cast<int>(shape.size()), Dim(1));
  int unknown = -1;
  bool has_zero = false;
  Dim known = 1;
  for (int i = 0; i < dims.size(); ++i) {
    if (shape[i] == -1) {
      PADDLE_ENFORCE(
          unknown < 0,
          errors::InvalidArgument("argument 'shape': expected at most one -1, got it at %d and %d", unknown, i));
      unknown = i;
      continue;
    }
    PADDLE_ENFORCE(
        shape[i] >= 0,
        errors::InvalidArgument(
            "argument 'shape': expected sizes, 0 (the dimension of x) or -1 (inferred), got %d at %d", shape[i], i));
    has_zero = has_zero || shape[i] == 0;
    dims[i] = shape[i] == 0 && i < x.size() ? x[i] : shape[i];
    known = known * dims[i];
  }
  const Dim numel = product(x);
  if (unknown >= 0) {
    if (known == 0) {
      dims[unknown] = InferUnknownDim(x, dims, unknown);
      known = 0;
    } else {
      dims[unknown] = numel / known;
      known = known * dims[unknown];
    }
  } else if (has_zero && known != numel && numel == 0) {
    dims = BasicDDim<Dim>(shape.begin(), static_cast<int64_t>(shape.size()));
    known = 0;
  }
  PADDLE_ENFORCE(known == numel,
                 errors::InvalidArgument(
                     "argument 'shape': x has the shape %s with %d elements, which do not fit %s", x, numel, dims));
  return dims;
}

template <class Dim>
void ReshapeInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& shape, MetaTensor<Dim>* out) {
  out->set_dims(ReshapedDims(x.dims(), shape));
  out->set_dtype(x.dtype());
}

// `perm` with each axis in [0, rank), every one once.
template <typename Int>
DDim CanonicalPermutation(const Int* perm, size_t size, int rank) {
  PADDLE_ENFORCE(static_cast<int>(size) == rank,
                 errors::InvalidArgument(
                     "argument 'perm': expected an axis for each of the %d dimensions of x, got %d", rank, size));
  DDim axes(rank, 0);
  unsigned seen = 0;
  for (int i = 0; i < rank; ++i) {
    axes[i] = CanonicalAxis(perm[i], rank, "perm");
    PADDLE_ENFORCE(
        (seen >> axes[i] & 1) == 0,
        errors::InvalidArgument("argument 'perm': expected every axis once, got axis %d again at %d", axes[i], i));
    seen |= 1u << axes[i];
  }
  return axes;
}
inline DDim CanonicalPermutation(const std::vector<int>& perm, int rank) {
  return CanonicalPermutation(perm.data(), perm.size(), rank);
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
  const Dim size = dims.size() == 0 ? Dim(1) : dims[dim];
  PADDLE_ENFORCE(
      count >= 1 && size >= count,
      errors::InvalidArgument(
          "argument 'k': expected a value from 1 to %d, the size of axis %d of x, got %d", size, dim, count));
  if (dims.size() > 0) dims[dim] = Dim(count);
  out->set_dims(dims);
  out->set_dtype(x.dtype());
  indices->set_dims(dims);
  indices->set_dtype(DataType::INT64);
}

}  // namespace phi
