// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/int_array.h"
#include "core/channels_last.h"
#include "core/meta_tensor.h"
#include "infermeta/given.h"
#include "infermeta/pooling.h"
#include "infermeta/set_contiguous.h"

// Pooling of images and of volumes.
namespace phi {

template <class Dim>
void CheckPoolRank(int spatial, const MetaTensor<Dim>& x) {
  PADDLE_ENFORCE(
      x.dims().size() == spatial + 2,
      errors::InvalidArgument("argument 'x': expected %d dimensions, got the shape %s", spatial + 2, x.dims()));
}

// `dims` with the sizes of the pooled images.
template <class Dim>
BasicDDim<Dim> PooledDims(BasicDDim<Dim> dims, const PoolGeometry<Dim>& geometry, bool channel_last, bool ceil_mode) {
  for (int i = 0; i < dims.size() - 2; ++i) dims[channel_last ? i + 1 : i + 2] = geometry.axis(i).OutSize(ceil_mode);
  return dims;
}

template <class Dim>
void PoolInferMeta(int spatial,
                   const MetaTensor<Dim>& x,
                   const IntArrayBase<Dim>& kernel_size,
                   const std::vector<int64_t>& strides,
                   const std::vector<int64_t>& paddings,
                   bool ceil_mode,
                   const std::string& data_format,
                   const std::string& pooling_type,
                   bool global_pooling,
                   bool adaptive,
                   const std::string& padding_algorithm,
                   MetaTensor<Dim>* out) {
  CheckPoolRank(spatial, x);
  PADDLE_ENFORCE(
      pooling_type == "max" || pooling_type == "avg",
      errors::InvalidArgument("argument 'pooling_type': expected \"max\" or \"avg\", got \"%s\"", pooling_type));
  const bool channel_last = IsChannelLast(data_format);
  const PoolGeometry<Dim> geometry(
      x.dims(), kernel_size, strides, paddings, channel_last, global_pooling, adaptive, padding_algorithm);
  SetImages(PooledDims(x.dims(), geometry, channel_last, ceil_mode), x.dtype(), x, out);
}

template <class Dim>
void Pool2DInferMeta(const MetaTensor<Dim>& x,
                     const IntArrayBase<Dim>& kernel_size,
                     const std::vector<int64_t>& strides,
                     const std::vector<int64_t>& paddings,
                     bool ceil_mode,
                     bool,
                     const std::string& data_format,
                     const std::string& pooling_type,
                     bool global_pooling,
                     bool adaptive,
                     const std::string& padding_algorithm,
                     MetaTensor<Dim>* out) {
  PoolInferMeta(2,
                x,
                kernel_size,
                strides,
                paddings,
                ceil_mode,
                data_format,
                pooling_type,
                global_pooling,
                adaptive,
                padding_algorithm,
                out);
}

template <class Dim>
void LPPool2DInferMeta(const MetaTensor<Dim>& x,
                       const IntArrayBase<Dim>& kernel_size,
                       const std::vector<int64_t>& strides,
                       const std::vector<int64_t>& paddings,
                       bool ceil_mode,
                       const std::string& data_format,
                       bool global_pooling,
                       bool adaptive,
                       const std::string& padding_algorithm,
                       double norm_type,
                       MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(norm_type > 0,
                 errors::InvalidArgument("argument 'norm_type': expected a number above 0, got %f", norm_type));
  PoolInferMeta(2,
                x,
                kernel_size,
                strides,
                paddings,
                ceil_mode,
                data_format,
                "avg",
                global_pooling,
                adaptive,
                padding_algorithm,
                out);
}

template <class Dim>
void Pool3DInferMeta(const MetaTensor<Dim>& x,
                     const std::vector<int64_t>& kernel_size,
                     const std::vector<int64_t>& strides,
                     const std::vector<int64_t>& paddings,
                     bool ceil_mode,
                     bool,
                     const std::string& data_format,
                     const std::string& pooling_type,
                     bool global_pooling,
                     bool adaptive,
                     const std::string& padding_algorithm,
                     MetaTensor<Dim>* out) {
  const IntArrayBase<Dim> sizes(std::vector<Dim>(kernel_size.begin(), kernel_size.end()));
  PoolInferMeta(3,
                x,
                sizes,
                strides,
                paddings,
                ceil_mode,
                data_format,
                pooling_type,
                global_pooling,
                adaptive,
                padding_algorithm,
                out);
}

// `out` and `mask` of the images or volumes [batch, channels, ...], which `paddings` pad alike on both sides.
template <class Dim>
void MaxPoolWithIndexInferMeta(int spatial,
                               const MetaTensor<Dim>& x,
                               const std::vector<int>& kernel_size,
                               const std::vector<int>& strides,
                               const std::vector<int>& paddings,
                               bool global_pooling,
                               bool adaptive,
                               bool ceil_mode,
                               MetaTensor<Dim>* out,
                               MetaTensor<Dim>* mask) {
  CheckPoolRank(spatial, x);
  PADDLE_ENFORCE(
      static_cast<int>(paddings.size()) == spatial,
      errors::InvalidArgument(
          "argument 'paddings': expected %d values (%s), got %d", spatial, ImageAxes(spatial), paddings.size()));
  const IntArrayBase<Dim> sizes(kernel_size);
  const PoolGeometry<Dim> geometry(x.dims(),
                                   sizes,
                                   std::vector<int64_t>(strides.begin(), strides.end()),
                                   std::vector<int64_t>(paddings.begin(), paddings.end()),
                                   false,
                                   global_pooling,
                                   adaptive,
                                   "EXPLICIT");
  const BasicDDim<Dim> dims = PooledDims(x.dims(), geometry, false, ceil_mode);
  SetContiguous(dims, x.dtype(), out);
  SetContiguous(dims, DataType::INT32, mask);
}

template <class Dim>
void MaxPool2DWithIndexInferMeta(const MetaTensor<Dim>& x,
                                 const std::vector<int>& kernel_size,
                                 const std::vector<int>& strides,
                                 const std::vector<int>& paddings,
                                 bool global_pooling,
                                 bool adaptive,
                                 bool ceil_mode,
                                 MetaTensor<Dim>* out,
                                 MetaTensor<Dim>* mask) {
  MaxPoolWithIndexInferMeta(2, x, kernel_size, strides, paddings, global_pooling, adaptive, ceil_mode, out, mask);
}

template <class Dim>
void MaxPool3DWithIndexInferMeta(const MetaTensor<Dim>& x,
                                 const std::vector<int>& kernel_size,
                                 const std::vector<int>& strides,
                                 const std::vector<int>& paddings,
                                 bool global_pooling,
                                 bool adaptive,
                                 bool ceil_mode,
                                 MetaTensor<Dim>* out,
                                 MetaTensor<Dim>* mask) {
  MaxPoolWithIndexInferMeta(3, x, kernel_size, strides, paddings, global_pooling, adaptive, ceil_mode, out, mask);
}

// Of images or volumes; the last numbers of `output_size` are their sizes.
template <class Dim>
void SetUnpooled(int spatial,
                 const MetaTensor<Dim>& x,
                 const MetaTensor<Dim>& indices,
                 const IntArrayBase<Dim>& output_size,
                 const std::string& data_format,
                 MetaTensor<Dim>* out) {
  CheckPoolRank(spatial, x);
  const char* const layout = spatial == 2 ? "NCHW" : "NCDHW";
  PADDLE_ENFORCE(data_format == layout,
                 errors::InvalidArgument("argument 'data_format': expected '%s', got '%s'", layout, data_format));
  PADDLE_ENFORCE(
      indices.dtype() == DataType::INT32 || indices.dtype() == DataType::INT64,
      errors::InvalidType("argument 'indices': expected int32 or int64, got %s", DataTypeName(indices.dtype())));
  PADDLE_ENFORCE(
      Same(indices.dims(), x.dims()),
      errors::InvalidArgument("argument 'indices': expected the shape %s of 'x', got %s", x.dims(), indices.dims()));
  const int count = static_cast<int>(output_size.size());
  PADDLE_ENFORCE(
      count >= spatial,
      errors::InvalidArgument("argument 'output_size': expected %s, got %d numbers", ImageAxes(spatial), count));
  BasicDDim<Dim> dims{x.dims(0), x.dims(1)};
  for (int i = count - spatial; i < count; ++i) {
    const Dim size = output_size[i];
    PADDLE_ENFORCE(size >= 0, errors::InvalidArgument("argument 'output_size': expected sizes, got %s", size));
    dims.push_back(size);
  }
  SetContiguous(dims, x.dtype(), out);
}

template <class Dim>
void UnpoolInferMeta(const MetaTensor<Dim>& x,
                     const MetaTensor<Dim>& indices,
                     const IntArrayBase<Dim>& output_size,
                     const std::string& data_format,
                     MetaTensor<Dim>* out) {
  SetUnpooled(2, x, indices, output_size, data_format, out);
}

template <class Dim>
void Unpool3dInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& indices,
                       const std::vector<int>& output_size,
                       const std::string& data_format,
                       MetaTensor<Dim>* out) {
  SetUnpooled(3, x, indices, IntArrayBase<Dim>(output_size), data_format, out);
}

template <class Dim>
void UnpoolGradInferMeta(const MetaTensor<Dim>& x,
                         const MetaTensor<Dim>& indices,
                         const MetaTensor<Dim>& out,
                         const MetaTensor<Dim>& out_grad,
                         const std::vector<int>&,
                         const std::vector<int>&,
                         const std::vector<int>&,
                         const IntArrayBase<Dim>& output_size,
                         const std::string& data_format,
                         MetaTensor<Dim>* x_grad) {
  Expected<Dim> expected;
  UnpoolInferMeta<Dim>(x, indices, output_size, data_format, &expected);
  CheckGiven("out_grad", out_grad, static_cast<const MetaTensor<Dim>&>(expected));
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

}  // namespace phi
