// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/int_array.h"
#include "core/channels_last.h"
#include "core/meta_tensor.h"
#include "infermeta/conv.h"
#include "infermeta/pooling.h"

namespace phi {

// Shorter ones reach no size beyond 2^31 that memory would hold, so they need no comparison.
inline constexpr int kLongStep = 1 << 15;

// One spatial dimension: `size` is asked for, or -1; `padding` is the output_padding.
template <class Dim>
Dim ConvTransposeOutputSize(const Dim& least, int stride, int dilation, const Dim* size, int padding) {
  if (size) {
    PADDLE_ENFORCE(
        *size >= least && *size < least + Dim(stride),
        errors::InvalidArgument(
            "argument 'output_size': expected a size in [%d, %d), got %d", least, least + Dim(stride), *size));
    return *size;
  }
  const int limit = std::max(stride, dilation);
  PADDLE_ENFORCE(
      padding >= 0 && padding < limit,
      errors::InvalidArgument("argument 'output_padding': expected a number in [0, %d), less than the stride "
                              "or the dilation, got %d",
                              limit,
                              padding));
  PADDLE_ENFORCE(least + Dim(padding) > 0,
                 errors::InvalidArgument("argument 'paddings': they cut away all of the output, whose size would be %d",
                                         least + Dim(padding)));
  return least + Dim(padding);
}

template <class Dim>
void TransposedConvolutionInferMeta(int spatial,
                                    const MetaTensor<Dim>& x,
                                    const MetaTensor<Dim>& filter,
                                    const std::vector<int>& strides,
                                    const std::vector<int>& paddings,
                                    const std::vector<int>& output_padding,
                                    const IntArrayBase<Dim>& output_size,
                                    const std::string& padding_algorithm,
                                    int64_t groups,
                                    const std::vector<int>& dilations,
                                    const std::string& data_format,
                                    MetaTensor<Dim>* out) {
  const bool channels_last = ConvChannelsLast(spatial, data_format);
  CheckConvAttributes(spatial, strides, paddings, padding_algorithm, dilations);
  CheckConvRanks(spatial, "x", x, filter);
  const auto check_count = [spatial](const char* name, size_t size) {
    PADDLE_ENFORCE(size == 0 || static_cast<int>(size) == spatial,
                   errors::InvalidArgument(
                       "argument '%s': expected %d numbers (%s), got %d", name, spatial, ImageAxes(spatial), size));
  };
  check_count("output_padding", output_padding.size());
  check_count("output_size", output_size.size());
  const int channel = channels_last ? spatial + 1 : 1;
  PADDLE_ENFORCE(groups > 0, errors::InvalidArgument("argument 'groups': expected at least 1, got %d", groups));
  PADDLE_ENFORCE(x.dims(channel) == filter.dims(0) && filter.dims(0) / Dim(groups) * Dim(groups) == filter.dims(0),
                 errors::InvalidArgument("'x' of the shape %s (%s) has %d channels, expected dimension 0 of 'filter', "
                                         "which has the shape %s, and a multiple of the %d groups",
                                         x.dims(),
                                         data_format,
                                         x.dims(channel),
                                         filter.dims(),
                                         groups));
  BasicDDim<Dim> dims = x.dims();
  dims[channel] = filter.dims(1) * Dim(groups);
  for (int i = 0; i < spatial; ++i) {
    Dim& size = dims[channels_last ? 1 + i : 2 + i];
    PADDLE_ENFORCE(
        size > 0 && filter.dims(2 + i) > 0,
        errors::InvalidArgument(
            "expected images and filters that are not empty, got the shapes %s and %s", x.dims(), filter.dims()));
    const ConvAxis<Dim> axis(i, spatial, strides, paddings, padding_algorithm, dilations);
    Dim least = (size - Dim(1)) * Dim(axis.stride) + axis.Reach(filter.dims(2 + i)) - Dim(axis.padding);
    if (padding_algorithm == "SAME") {
      const Dim rest = ((size + Dim(axis.stride - 1)) / Dim(axis.stride) - Dim(1)) * Dim(axis.stride);
      const Dim sum = rest + filter.dims(2 + i) - size;
      if (sum > 0) least = least - sum;
    }
    size = ConvTransposeOutputSize(least,
                                   axis.stride,
                                   axis.dilation,
                                   output_size.empty() ? nullptr : &output_size[i],
                                   output_padding.empty() ? 0 : output_padding[i]);
    if (std::max(axis.stride, axis.dilation) > kLongStep) {
      PADDLE_ENFORCE(size <= INT32_MAX,
                     errors::InvalidArgument("arguments 'strides' and 'dilations': they give a size of %s, and no "
                                             "library counts beyond %d",
                                             size,
                                             INT32_MAX));
    }
  }
  SetImages(dims, x.dtype(), x, out);
}

template <class Dim>
void Conv2dTransposeInferMeta(const MetaTensor<Dim>& x,
                              const MetaTensor<Dim>& filter,
                              const std::vector<int>& strides,
                              const std::vector<int>& paddings,
                              const std::vector<int>& output_padding,
                              const IntArrayBase<Dim>& output_size,
                              const std::string& padding_algorithm,
                              int64_t groups,
                              const std::vector<int>& dilations,
                              const std::string& data_format,
                              MetaTensor<Dim>* out) {
  TransposedConvolutionInferMeta(2,
                                 x,
                                 filter,
                                 strides,
                                 paddings,
                                 output_padding,
                                 output_size,
                                 padding_algorithm,
                                 groups,
                                 dilations,
                                 data_format,
                                 out);
}

// Unlike those of images, the sizes are numbers.
template <class Dim>
void Conv3dTransposeInferMeta(const MetaTensor<Dim>& x,
                              const MetaTensor<Dim>& filter,
                              const std::vector<int>& strides,
                              const std::vector<int>& paddings,
                              const std::vector<int>& output_padding,
                              const std::vector<int>& output_size,
                              const std::string& padding_algorithm,
                              int64_t groups,
                              const std::vector<int>& dilations,
                              const std::string& data_format,
                              MetaTensor<Dim>* out) {
  const IntArrayBase<Dim> sizes(output_size);
  TransposedConvolutionInferMeta(
      3, x, filter, strides, paddings, output_padding, sizes, padding_algorithm, groups, dilations, data_format, out);
}

}  // namespace phi
