// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/channels_last.h"
#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/pooling.h"

// InferMeta of convolutions of images and of volumes.
namespace phi {

// What the attributes of a convolution over `spatial` axes say of one of them. With SAME, dilations count as 1.
template <class Dim>
struct ConvAxis {
  ConvAxis(int axis,
           int spatial,
           const std::vector<int>& strides,
           const std::vector<int>& paddings,
           const std::string& padding_algorithm,
           const std::vector<int>& dilations)
      : stride(strides[axis]), dilation(padding_algorithm == "SAME" ? 1 : dilations[axis]) {
    if (padding_algorithm != "EXPLICIT") return;
    const bool two_sided = static_cast<int>(paddings.size()) != spatial;
    padding = int64_t{paddings[two_sided ? 2 * axis : axis]} + paddings[two_sided ? 2 * axis + 1 : axis];
  }

  // How many elements of the input a filter of this size covers.
  Dim Reach(const Dim& filter) const { return Dim(dilation) * (filter - Dim(1)) + Dim(1); }

  int stride;
  int dilation;
  int64_t padding = 0;  // on both sides together, where it does not depend on the input
};

// Whether the channels are the last dimension. Of volumes, the names for images mean the same, and of images "NCDHW" is
// "NCHW", as Paddle takes it.
inline bool ConvChannelsLast(int spatial, const std::string& data_format) {
  const bool volumes = spatial == 3;
  const bool last = data_format == "NHWC" || (volumes && data_format == "NDHWC");
  PADDLE_ENFORCE(last || data_format == "NCHW" || data_format == "AnyLayout" || data_format == "NCDHW",
                 errors::InvalidArgument("argument 'data_format': expected %s, got '%s'",
                                         volumes ? "'NCDHW' or 'NDHWC'" : "'NCHW' or 'NHWC'",
                                         data_format));
  return last;
}

inline void CheckConvAttributes(int spatial,
                                const std::vector<int>& strides,
                                const std::vector<int>& paddings,
                                const std::string& padding_algorithm,
                                const std::vector<int>& dilations) {
  PADDLE_ENFORCE(
      padding_algorithm == "EXPLICIT" || padding_algorithm == "SAME" || padding_algorithm == "VALID",
      errors::InvalidArgument("argument 'padding_algorithm': expected 'EXPLICIT', 'SAME' or 'VALID', got '%s'",
                              padding_algorithm));
  const auto check_positive = [spatial](const char* name, const std::vector<int>& values) {
    const bool fits =
        static_cast<int>(values.size()) == spatial && std::ranges::all_of(values, [](int value) { return value > 0; });
    PADDLE_ENFORCE(fits,
                   errors::InvalidArgument(
                       "argument '%s': expected %d positive numbers, got %s", name, spatial, IntsText(values)));
  };
  check_positive("strides", strides);
  check_positive("dilations", dilations);
  const int count = static_cast<int>(paddings.size());
  PADDLE_ENFORCE(count == spatial || count == 2 * spatial,
                 errors::InvalidArgument("argument 'paddings': expected %d numbers (%s) or %d (%s), got %s",
                                         spatial,
                                         ImageAxes(spatial),
                                         2 * spatial,
                                         ImageSides(spatial),
                                         IntsText(paddings)));
  PADDLE_ENFORCE(
      std::ranges::all_of(paddings, [](int padding) { return padding >= 0; }),
      errors::InvalidArgument("argument 'paddings': expected no negative number, got %s", IntsText(paddings)));
}

template <class Dim>
void CheckConvRanks(int spatial, const char* name, const MetaTensor<Dim>& images, const MetaTensor<Dim>& filter) {
  CheckSameDataType(name, images, "filter", filter);
  PADDLE_ENFORCE(images.dims().size() == spatial + 2 && filter.dims().size() == spatial + 2,
                 errors::InvalidArgument("expected %d dimensions of '%s' and of 'filter', got the shapes %s and %s",
                                         spatial + 2,
                                         name,
                                         images.dims(),
                                         filter.dims()));
}

// `name` is what messages call `input`.
template <class Dim>
void ConvolutionInferMeta(int spatial,
                          const char* name,
                          const MetaTensor<Dim>& input,
                          const MetaTensor<Dim>& filter,
                          const std::vector<int>& strides,
                          const std::vector<int>& paddings,
                          const std::string& padding_algorithm,
                          const std::vector<int>& dilations,
                          int64_t groups,
                          const std::string& data_format,
                          MetaTensor<Dim>* out) {
  const bool channels_last = ConvChannelsLast(spatial, data_format);
  CheckConvAttributes(spatial, strides, paddings, padding_algorithm, dilations);
  CheckConvRanks(spatial, name, input, filter);
  for (int i = 0; i < spatial; ++i) {
    PADDLE_ENFORCE(
        filter.dims(2 + i) > 0,
        errors::InvalidArgument("argument 'filter': expected one that is not empty, got the shape %s", filter.dims()));
  }
  const int channel = channels_last ? spatial + 1 : 1;
  PADDLE_ENFORCE(groups > 0, errors::InvalidArgument("argument 'groups': expected at least 1, got %d", groups));
  PADDLE_ENFORCE(
      input.dims(channel) == filter.dims(1) * Dim(groups),
      errors::InvalidArgument("'%s' of the shape %s (%s) has %d channels, expected %d: dimension 1 of 'filter', "
                              "which has the shape %s, times %d groups",
                              name,
                              input.dims(),
                              data_format,
                              input.dims(channel),
                              filter.dims(1) * Dim(groups),
                              filter.dims(),
                              groups));
  PADDLE_ENFORCE(filter.dims(0) / Dim(groups) * Dim(groups) == filter.dims(0),
                 errors::InvalidArgument(
                     "dimension 0 of 'filter' is %d, expected a multiple of the %d groups", filter.dims(0), groups));
  BasicDDim<Dim> dims = input.dims();
  dims[channel] = filter.dims(0);
  for (int i = 0; i < spatial; ++i) {
    Dim& size = dims[channels_last ? 1 + i : 2 + i];
    const ConvAxis<Dim> axis(i, spatial, strides, paddings, padding_algorithm, dilations);
    if (padding_algorithm == "SAME") {
      size = (size + Dim(axis.stride - 1)) / Dim(axis.stride);
      continue;
    }
    const Dim reach = axis.Reach(filter.dims(2 + i));
    PADDLE_ENFORCE(
        size + Dim(axis.padding) >= reach,
        errors::InvalidArgument("the filter reaches over %d elements, more than the input has: %d with %d of padding",
                                reach,
                                size,
                                axis.padding));
    size = (size + Dim(axis.padding) - reach) / Dim(axis.stride) + Dim(1);
  }
  SetImages(dims, input.dtype(), input, out);
}

template <class Dim>
void ConvInferMeta(const MetaTensor<Dim>& input,
                   const MetaTensor<Dim>& filter,
                   const std::vector<int>& strides,
                   const std::vector<int>& paddings,
                   const std::string& padding_algorithm,
                   const std::vector<int>& dilations,
                   int64_t groups,
                   const std::string& data_format,
                   MetaTensor<Dim>* out) {
  ConvolutionInferMeta(
      2, "input", input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format, out);
}

template <class Dim>
void Conv3DInferMeta(const MetaTensor<Dim>& input,
                     const MetaTensor<Dim>& filter,
                     const std::vector<int>& strides,
                     const std::vector<int>& paddings,
                     const std::string& padding_algorithm,
                     int64_t groups,
                     const std::vector<int>& dilations,
                     const std::string& data_format,
                     MetaTensor<Dim>* out) {
  ConvolutionInferMeta(
      3, "input", input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format, out);
}

}  // namespace phi
