// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/int_array.h"
#include "core/ddim.h"
#include "infermeta/axes.h"
#include "infermeta/number_one.h"

// Shapes of views of one tensor, for InferMeta and for what makes the views.
namespace phi {

// The dimensions of size 1 that `axis` names; an empty `axis` names all.
template <class Dim>
AxisFlags<Dim> SqueezedAxes(const BasicDDim<Dim>& x, const IntArrayBase<Dim>& axis) {
  AxisFlags<Dim> squeezed = ReducedAxes(axis, x.size());
  for (int i = 0; i < x.size(); ++i) squeezed[i] = squeezed[i] && x[i] == 1;
  return squeezed;
}

template <class Dim>
BasicDDim<Dim> WithoutAxes(const BasicDDim<Dim>& x, const AxisFlags<Dim>& dropped) {
  BasicDDim<Dim> dims;
  for (int i = 0; i < x.size(); ++i) {
    if (!dropped[i]) dims.push_back(x[i]);
  }
  return dims;
}

// The places at which `axis` inserts dimensions, one after the other: each counts in the shape that the ones before
// made.
template <class Dim>
DDim InsertedAxes(const IntArrayBase<Dim>& axis, int rank) {
  const int64_t total = rank + static_cast<int64_t>(axis.size());
  PADDLE_ENFORCE(
      total <= DDim::kMaxRank,
      errors::InvalidArgument("a tensor may have at most %d dimensions, got %d", int{DDim::kMaxRank}, total));
  DDim places;
  for (const Dim& a : axis) {
    const int limit = ++rank;
    int place = -1;
    for (int i = 0; i < limit && place < 0; ++i) {
      if (a == i || a == i - limit) place = i;
    }
    PADDLE_ENFORCE(place >= 0,
                   errors::OutOfRange(
                       "argument 'axis': expected a value in [%d, %d) at %d, got %d", -limit, limit, places.size(), a));
    places.push_back(place);
  }
  return places;
}

// The dimensions from `start_axis` to `stop_axis` as one; a tensor without dimensions gets one.
template <class Dim>
BasicDDim<Dim> FlattenedDims(const BasicDDim<Dim>& x, int64_t start_axis, int64_t stop_axis) {
  const int start = CanonicalAxis(start_axis, x.size(), "start_axis");
  const int stop = CanonicalAxis(stop_axis, x.size(), "stop_axis");
  PADDLE_ENFORCE(start <= stop,
                 errors::InvalidArgument(
                     "argument 'stop_axis': expected no axis before start_axis %d, got %d", start_axis, stop_axis));
  BasicDDim<Dim> dims;
  Dim joined = 1;
  for (int i = 0; i < x.size(); ++i) {
    if (i < start || i > stop) {
      dims.push_back(x[i]);
    } else {
      joined = CheckedMultiply(joined, x[i]);
      if (i == stop) dims.push_back(joined);
    }
  }
  if (x.size() == 0) dims.push_back(joined);
  return dims;
}

// The axis along which a tensor is taken apart.
template <class Dim>
int UnboundAxis(const BasicDDim<Dim>& input, int64_t axis) {
  PADDLE_ENFORCE(input.size() > 0,
                 errors::InvalidArgument("argument 'input': expected at least one dimension, got none"));
  return CanonicalAxis(axis, input.size());
}

// `shape` with -1 replaced by the dimension of x, which broadcasts to it.
template <class Dim>
BasicDDim<Dim> ExpandedDims(const BasicDDim<Dim>& x, const IntArrayBase<Dim>& shape) {
  BasicDDim<Dim> dims(shape.begin(), static_cast<int64_t>(shape.size()));
  const int missing = dims.size() - x.size();
  PADDLE_ENFORCE(
      missing >= 0,
      errors::InvalidArgument("argument 'shape': expected at least the %d dimensions of x, got %s", x.size(), dims));
  for (int i = 0; i < dims.size(); ++i) {
    if (i >= missing && dims[i] == -1) {
      dims[i] = x[i - missing];
      continue;
    }
    PADDLE_ENFORCE(dims[i] >= 0,
                   errors::InvalidArgument(
                       "argument 'shape': expected sizes, or -1 for a dimension that x has, got %d at %d", dims[i], i));
    PADDLE_ENFORCE(
        i < missing || IsNumberOne(x[i - missing]) || x[i - missing] == dims[i] || x[i - missing] == 1,
        errors::InvalidArgument(
            "argument 'shape': x of the shape %s does not broadcast to %s; dimension %d must be %d, 1 in x, or -1",
            x,
            dims,
            i,
            x[i - missing]));
  }
  return dims;
}

// Zero-sized tensors: what -1 stands for follows from the dimensions that are not zero.
template <class Dim>
Dim InferUnknownDim(const BasicDDim<Dim>& x, const BasicDDim<Dim>& wanted, int unknown) {
  Dim from = 1;
  Dim known = 1;
  for (const Dim& d : x) from = d == 0 ? from : CheckedMultiply(from, d);
  for (int i = 0; i < wanted.size(); ++i)
    known = i == unknown || wanted[i] == 0 ? known : CheckedMultiply(known, wanted[i]);
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
    known = CheckedMultiply(known, dims[i]);
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

}  // namespace phi
