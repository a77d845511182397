// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "infermeta/parts.h"
#include "infermeta/view_dims.h"

// The views that operators give: of which elements of a tensor the result is. One computation serves eager calls, which
// make torch tensors of it (torch/views/view_ops.cc), and the kernels of this folder. Shapes and checks are
// InferMeta's.
namespace phi {

// Sizes, strides, and the place of the first element, counted in elements from that of the tensor.
struct StridedView {
  DDim sizes;
  DDim strides;
  int64_t offset = 0;
};

inline StridedView TransposedView(const DDim& sizes, const DDim& strides, const DDim& axes) {
  StridedView view{axes, axes};
  for (int i = 0; i < axes.size(); ++i) {
    view.sizes[i] = sizes[axes[i]];
    view.strides[i] = strides[axes[i]];
  }
  return view;
}

inline StridedView ViewWithoutAxes(const DDim& sizes, const DDim& strides, const AxisFlags<int64_t>& dropped) {
  return {WithoutAxes(sizes, dropped), WithoutAxes(strides, dropped)};
}

inline StridedView SqueezedView(const DDim& sizes, const DDim& strides, const IntArray& axis) {
  return ViewWithoutAxes(sizes, strides, SqueezedAxes(sizes, axis));
}

inline StridedView UnsqueezedView(const DDim& sizes, const DDim& strides, const IntArray& axis) {
  StridedView view{sizes, strides};
  const auto insert = [](DDim* dims, int place, int64_t value) {
    dims->push_back(value);
    for (int i = dims->size() - 1; i > place; --i) (*dims)[i] = (*dims)[i - 1];
    (*dims)[place] = value;
  };
  for (const int64_t at : InsertedAxes(axis, sizes.size())) {
    const int place = static_cast<int>(at);
    const bool is_last = place == view.sizes.size();
    insert(&view.strides, place, is_last ? 1 : view.sizes[place] * view.strides[place]);
    insert(&view.sizes, place, 1);
  }
  return view;
}

inline StridedView ExpandedView(const DDim& sizes, const DDim& strides, const IntArray& shape) {
  StridedView view{ExpandedDims(sizes, shape), {}};
  view.strides = view.sizes;
  for (int i = view.sizes.size() - 1, own = sizes.size() - 1; i >= 0; --i, --own) {
    const bool repeats = view.sizes[i] != (own < 0 ? 1 : sizes[own]);
    const bool is_last = i + 1 == view.sizes.size();
    view.strides[i] = repeats ? 0 : own >= 0 ? strides[own] : is_last ? 1 : view.sizes[i + 1] * view.strides[i + 1];
  }
  return view;
}

inline StridedView SlicedView(const DDim& strides, const SlicedPart<int64_t>& part) {
  StridedView view = ViewWithoutAxes(part.sizes, strides, part.dropped);
  for (int i = 0; i < strides.size(); ++i) view.offset += part.starts[i] * strides[i];
  return view;
}

// Of the pieces of a tensor that is taken apart along `axis` the first; the next one begins strides[axis] further on.
inline StridedView UnboundView(const DDim& sizes, const DDim& strides, int axis) {
  AxisFlags<int64_t> dropped = {};
  dropped[axis] = true;
  return ViewWithoutAxes(sizes, strides, dropped);
}

// The elements as another shape of as many, in order; none if only a copy has them so.
inline std::optional<StridedView> ReshapedView(const DDim& sizes, const DDim& strides, const DDim& shape) {
  StridedView view{shape, contiguous_strides(shape)};
  if (product(sizes) == 0) return view;
  // Dimensions join to a run where one continues the next; those of the result divide the runs. Both from the last on.
  DDim run_sizes;
  DDim run_strides;
  for (int i = sizes.size() - 1; i >= 0; --i) {
    if (sizes[i] == 1) continue;
    const int last = run_sizes.size() - 1;
    if (last >= 0 && strides[i] == run_sizes[last] * run_strides[last]) {
      run_sizes[last] *= sizes[i];
    } else {
      run_sizes.push_back(sizes[i]);
      run_strides.push_back(strides[i]);
    }
  }
  int run = 0;
  int64_t divided = 1;
  for (int i = shape.size() - 1; i >= 0; --i) {
    if (shape[i] == 1) continue;
    if (divided == run_sizes[run]) {
      ++run;
      divided = 1;
    }
    view.strides[i] = divided * run_strides[run];
    divided *= shape[i];
    if (run_sizes[run] % divided != 0) return std::nullopt;
  }
  return view;
}

}  // namespace phi
