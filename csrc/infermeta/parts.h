// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "common/int_array.h"
#include "core/ddim.h"
#include "infermeta/axes.h"
#include "infermeta/number_one.h"
#include "infermeta/view_dims.h"

// Parts of a tensor, which slices and assignments name.
namespace phi {

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
      return given == axis || given == axis - x.size();
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

// What lies in steps along some axes of a tensor: `sizes` elements, the first one at `starts`, `steps` apart.
template <class Dim>
struct SteppedPart {
  BasicDDim<Dim> starts;
  BasicDDim<Dim> sizes;
  BasicDDim<Dim> steps;
};

// As Python's slices.
template <class Dim, typename Int>
SteppedPart<Dim> MakeSteppedPart(const BasicDDim<Dim>& x,
                                 const std::vector<Int>& axes,
                                 const IntArrayBase<Dim>& starts,
                                 const IntArrayBase<Dim>& ends,
                                 const IntArrayBase<Dim>& steps,
                                 const char* steps_name) {
  const size_t count = axes.size();
  PADDLE_ENFORCE(starts.size() == count && ends.size() == count && steps.size() == count,
                 errors::InvalidArgument("expected as many 'starts', 'ends' and '%s' as 'axes', %d, got %d, %d and %d",
                                         steps_name,
                                         count,
                                         starts.size(),
                                         ends.size(),
                                         steps.size()));
  SteppedPart<Dim> part{BasicDDim<Dim>(x.size(), Dim(0)), x, BasicDDim<Dim>(x.size(), Dim(1))};
  AxisFlags<Dim> seen = {};
  for (size_t i = 0; i < count; ++i) {
    PADDLE_ENFORCE(x.size() > 0, errors::OutOfRange("argument 'axes': x has no dimension, got %d", int64_t{axes[i]}));
    const int axis = CanonicalAxis(axes[i], x.size(), "axes");
    PADDLE_ENFORCE(!seen[axis],
                   errors::InvalidArgument("argument 'axes': expected each axis once, got axis %d again", axis));
    seen[axis] = true;
    const Dim& step = steps[i];
    const Dim& size = x[axis];
    PADDLE_ENFORCE(!(step == 0), errors::InvalidArgument("argument '%s': expected no 0, got it at %d", steps_name, i));
    part.steps[axis] = step;
    if (step > 0) {
      const Dim start = ClampedIndex(starts[i], size);
      const Dim end = ClampedIndex(ends[i], size);
      part.starts[axis] = start;
      part.sizes[axis] = end > start ? (end - start - 1) / step + 1 : Dim(0);
    } else {
      const Dim start = starts[i] >= size ? size - 1 : starts[i] < 0 ? starts[i] + size : starts[i];
      // the last element that may be taken; of a size that is not known it is known to be below INT_MAX
      const Dim end = ends[i] >= size             ? size
                      : ends[i] >= 0              ? ends[i] + 1
                      : Dim(-1) - ends[i] >= size ? Dim(0)
                                                  : ends[i] + size + 1;
      part.starts[axis] = start;
      part.sizes[axis] = start >= end ? (start - end) / (Dim(0) - step) + 1 : Dim(0);
    }
  }
  return part;
}

// A part of a tensor and how it is seen by what is assigned to it: without some axes of size 1, and with others.
template <class Dim>
struct AssignedPart {
  SteppedPart<Dim> part;
  BasicDDim<Dim> dims;                                  // as it is seen
  std::array<int, BasicDDim<Dim>::kMaxRank> axes = {};  // of the tensor, for each of these; -1 for an added one
};

template <class Dim>
AssignedPart<Dim> MakeAssignedPart(const BasicDDim<Dim>& x,
                                   const IntArrayBase<Dim>& starts,
                                   const IntArrayBase<Dim>& ends,
                                   const IntArrayBase<Dim>& steps,
                                   const std::vector<int64_t>& axes,
                                   const std::vector<int64_t>& decrease_axes,
                                   const std::vector<int64_t>& none_axes) {
  AssignedPart<Dim> found;
  found.part = MakeSteppedPart(x, axes, starts, ends, steps, "steps");
  const auto add = [&](const Dim& size, int axis) {
    found.axes[std::min<int>(found.dims.size(), BasicDDim<Dim>::kMaxRank - 1)] = axis;
    found.dims.push_back(size);
  };
  AxisFlags<Dim> dropped = {};
  for (const int64_t given : decrease_axes) {
    PADDLE_ENFORCE(x.size() > 0, errors::OutOfRange("argument 'decrease_axes': x has no dimension, got %d", given));
    const int axis = CanonicalAxis(given, x.size(), "decrease_axes");
    PADDLE_ENFORCE(found.part.sizes[axis] == 1,
                   errors::InvalidArgument(
                       "argument 'decrease_axes': expected axes of size 1, got axis %d of %s", axis, found.part.sizes));
    dropped[axis] = true;
  }
  std::vector<int64_t> added = none_axes;
  std::sort(added.begin(), added.end());
  const int64_t most = x.size() + std::ssize(added) - 1;  // of what PaddlePaddle counts, the new ones too
  for (const int64_t axis : added) {
    PADDLE_ENFORCE(axis >= 0 && axis <= most,
                   errors::OutOfRange("argument 'none_axes': expected values in [0, %d], got %d", most, axis));
  }
  size_t next = 0;
  for (int axis = 0; axis <= x.size(); ++axis) {
    for (; next < added.size() && (added[next] <= axis || axis == x.size()); ++next) add(Dim(1), -1);
    if (axis < x.size() && !dropped[axis]) add(found.part.sizes[axis], axis);
  }
  return found;
}

}  // namespace phi
