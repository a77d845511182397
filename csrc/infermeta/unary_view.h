// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "common/int_array.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/list_size.h"
#include "infermeta/parts.h"
#include "infermeta/view_dims.h"

// InferMeta of the ops that are views of one tensor.
namespace phi {

template <class Dim>
void SqueezeInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& axis, MetaTensor<Dim>* out) {
  out->set_dims(WithoutAxes(x.dims(), SqueezedAxes(x.dims(), axis)));
  out->set_dtype(x.dtype());
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

template <class Dim>
void FlattenInferMeta(const MetaTensor<Dim>& x, int64_t start_axis, int64_t stop_axis, MetaTensor<Dim>* out) {
  out->set_dims(FlattenedDims(x.dims(), start_axis, stop_axis));
  out->set_dtype(x.dtype());
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

template <class Dim>
void UnbindInferMeta(const MetaTensor<Dim>& input, int64_t axis, std::vector<MetaTensor<Dim>*> out) {
  AxisFlags<Dim> dropped = {};
  dropped[UnboundAxis(input.dims(), axis)] = true;
  ExpectListSize("out", out, input.dims(UnboundAxis(input.dims(), axis)));
  const BasicDDim<Dim> dims = WithoutAxes(input.dims(), dropped);
  for (MetaTensor<Dim>* piece : out) {
    if (piece == nullptr) continue;
    piece->set_dims(dims);
    piece->set_dtype(input.dtype());
  }
}

template <class Dim>
void ExpandInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& shape, MetaTensor<Dim>* out) {
  out->set_dims(ExpandedDims(x.dims(), shape));
  out->set_dtype(x.dtype());
}

}  // namespace phi
