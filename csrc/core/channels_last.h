// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/meta_tensor.h"

// Images whose channels are last in memory. The shape stays [n, c, h, w] (or [n, c, d, h, w]), as torch has it; a
// tensor of a call that is marked with the layout NHWC (NDHWC) has strides of this order.
namespace phi {

inline bool IsImageLayout(DataLayout layout) { return layout == DataLayout::NHWC || layout == DataLayout::NDHWC; }

// NHWC for 4 dimensions, NDHWC for 5, ALL_LAYOUT for others.
inline DataLayout ChannelsLastOf(int rank) {
  return rank == 4 ? DataLayout::NHWC : rank == 5 ? DataLayout::NDHWC : DataLayout::ALL_LAYOUT;
}

// The strides of images of these dims, channels last.
template <class Dim>
BasicDDim<Dim> ChannelsLastStrides(const BasicDDim<Dim>& dims) {
  BasicDDim<Dim> strides = dims;
  Dim step(1);
  strides[1] = step;
  step = step * dims[1];
  for (int i = dims.size() - 1; i > 1; --i) {
    strides[i] = step;
    step = step * dims[i];
  }
  strides[0] = step;
  return strides;
}

// Whether the memory has the channels last; that of one channel, or of one pixel, may have them second as well.
inline bool IsChannelsLast(const DenseTensorMeta& meta) {
  if (ChannelsLastOf(meta.dims.size()) == DataLayout::ALL_LAYOUT) return false;
  const DDim strides = ChannelsLastStrides(meta.dims);
  for (int i = 0; i < meta.dims.size(); ++i) {
    if (meta.dims[i] != 1 && meta.strides[i] != strides[i]) return false;
  }
  return true;
}

// The layout that images ask for: NHWC for a tensor that has its channels last in memory and second in its shape.
inline DataLayout ImageLayout(const DenseTensor& tensor, const std::string& data_format) {
  if (__builtin_expect(tensor.is_contiguous(), 1) || data_format == "NHWC" || data_format == "NDHWC") {
    return DataLayout::ALL_LAYOUT;
  }
  return IsChannelsLast(tensor.meta()) ? ChannelsLastOf(tensor.dims().size()) : DataLayout::ALL_LAYOUT;
}

// Marks a tensor of these dims as one with the channels last, and gives it the strides.
template <class Dim>
void SetChannelsLast(const BasicDDim<Dim>& dims, MetaTensor<Dim>* out) {
  TensorMeta<Dim> meta;
  meta.dims = dims;
  meta.strides = ChannelsLastStrides(dims);
  meta.contiguous = false;
  out->share_dims_and_strides(MetaTensor<Dim>(&meta));
  out->set_layout(ChannelsLastOf(dims.size()));
}

// The result of a computation on images: it has its channels last in memory where those have.
template <class Dim>
void SetImages(const BasicDDim<Dim>& dims, DataType dtype, const MetaTensor<Dim>& images, MetaTensor<Dim>* out) {
  if (!out) return;
  IsImageLayout(images.layout()) ? SetChannelsLast(dims, out) : out->set_dims(dims);
  out->set_dtype(dtype);
}

}  // namespace phi
