// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "infermeta/number_one.h"
#include "infermeta/reduction.h"

// InferMeta of the ops that are views of one tensor, and the shapes that csrc/torch/views/view_ops.cc asks for.
namespace phi {

template <class Dim>
using AxisFlags = std::array<bool, BasicDDim<Dim>::kMaxRank>;

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

template <class Dim>
void SqueezeInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& axis, MetaTensor<Dim>* out) {
  out->set_dims(WithoutAxes(x.dims(), SqueezedAxes(x.dims(), axis)));
  out->set_dtype(x.dtype());
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

template <class Dim>
void UnsqueezeInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& axis, MetaTensor<Dim>* out) {
  BasicDDim<Dim> dims = x.dims();
  for (const int64_t place : InsertedAxes(axis, dims.size())) {
    dims.push_back(Dim(1));
    for (int i = dims.size() - 1; i > place; --i) dims[i] = dims[i - 1];
    dims[static_cast<int>(place)] = Dim(1);
  }
  out->set_dims(dims);
  out->set_dtype(x.dtype());
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
      joined = joined * x[i];
      if (i == stop) dims.push_back(joined);
    }
  }
  if (x.size() == 0) dims.push_back(joined);
  return dims;
}

template <class Dim>
void FlattenInferMeta(const MetaTensor<Dim>& x, int64_t start_axis, int64_t stop_axis, MetaTensor<Dim>* out) {
  out->set_dims(FlattenedDims(x.dims(), start_axis, stop_axis));
  out->set_dtype(x.dtype());
}

// The part of a tensor that `slice` takes: from `starts` on, of the shape `sizes`, without the axes `dropped`.
template <class Dim>
struct SlicedPart {
  BasicDDim<Dim> starts;
  BasicDDim<Dim> sizes;
  AxisFlags<Dim> dropped = {};

  BasicDDim<Dim> dims() const { return WithoutAxes(sizes, dropped); }
};

// An index that counts from the end when it is negative, as one in [0, size].
template <class Dim>
Dim ClampedIndex(const Dim& index, const Dim& size) {
  if (index >= size) return size;
  if (index >= 0) return index;
  return index + size >= 0 ? index + size : Dim(0);
}

template <class Dim>
SlicedPart<Dim> MakeSlicedPart(const BasicDDim<Dim>& x,
                               const std::vector<int64_t>& axes,
                               const IntArrayBase<Dim>& starts,
                               const IntArrayBase<Dim>& ends,
                               const std::vector<int64_t>& decrease_axis) {
  const size_t count = axes.size();
  PADDLE_ENFORCE(
      starts.size() == count && ends.size() == count,
      errors::InvalidArgument(
          "expected as many 'starts' and 'ends' as 'axes', %d, got %d and %d", count, starts.size(), ends.size()));
  SlicedPart<Dim> part{BasicDDim<Dim>(x.size(), Dim(0)), x};
  AxisFlags<Dim> seen = {};
  const auto axis_of = [&](int64_t given, const char* argument) {
    PADDLE_ENFORCE(x.size() > 0, errors::OutOfRange("argument '%s': x has no dimension, got %d", argument, given));
    return CanonicalAxis(given, x.size(), argument);
  };
  for (size_t i = 0; i < count; ++i) {
    const int axis = axis_of(axes[i], "axes");
    PADDLE_ENFORCE(!seen[axis],
                   errors::InvalidArgument("argument 'axes': expected each axis once, got axis %d again", axis));
    seen[axis] = true;
    const Dim start = ClampedIndex(starts[i], x[axis]);
    const bool is_dropped = std::any_of(decrease_axis.begin(), decrease_axis.end(), [&](int64_t given) {
      return given == axis || given + x.size() == axis;
    });
    // x[i] for an i of -1, which programs take from tensors, ends at 0
    const bool is_last = is_dropped && IsNumber(starts[i], -1) && IsNumber(ends[i], 0);
    const Dim end = is_last ? x[axis] : ClampedIndex(ends[i], x[axis]);
    part.starts[axis] = start;
    part.sizes[axis] = end >= start ? end - start : Dim(0);
  }
  for (const int64_t given : decrease_axis) {
    const int axis = axis_of(given, "decrease_axis");
    PADDLE_ENFORCE(part.sizes[axis] == 1,
                   errors::InvalidArgument("argument 'decrease_axis': expected axes of size 1, got axis %d, whose size "
                                           "in the slice %s is %d",
                                           axis,
                                           part.sizes,
                                           part.sizes[axis]));
    PADDLE_ENFORCE(
        !part.dropped[axis],
        errors::InvalidArgument("argument 'decrease_axis': expected each axis once, got axis %d again", axis));
    part.dropped[axis] = true;
  }
  return part;
}

template <class Dim>
void SliceRawInferMeta(const MetaTensor<Dim>& input,
                       const std::vector<int64_t>& axes,
                       const IntArrayBase<Dim>& starts,
                       const IntArrayBase<Dim>& ends,
                       const std::vector<int64_t>&,
                       const std::vector<int64_t>& decrease_axis,
                       MetaTensor<Dim>* out) {
  out->set_dims(MakeSlicedPart(input.dims(), axes, starts, ends, decrease_axis).dims());
  out->set_dtype(input.dtype());
}

// The axis along which a tensor is taken apart.
template <class Dim>
int UnboundAxis(const BasicDDim<Dim>& input, int64_t axis) {
  PADDLE_ENFORCE(input.size() > 0,
                 errors::InvalidArgument("argument 'input': expected at least one dimension, got none"));
  return CanonicalAxis(axis, input.size());
}

template <class Dim>
void UnbindInferMeta(const MetaTensor<Dim>& input, int64_t axis, std::vector<MetaTensor<Dim>*> out) {
  AxisFlags<Dim> dropped = {};
  dropped[UnboundAxis(input.dims(), axis)] = true;
  const BasicDDim<Dim> dims = WithoutAxes(input.dims(), dropped);
  for (MetaTensor<Dim>* piece : out) {
    if (piece == nullptr) continue;
    piece->set_dims(dims);
    piece->set_dtype(input.dtype());
  }
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

template <class Dim>
void ExpandInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& shape, MetaTensor<Dim>* out) {
  out->set_dims(ExpandedDims(x.dims(), shape));
  out->set_dtype(x.dtype());
}

}  // namespace phi
