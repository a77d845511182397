// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "infermeta/backward_linalg.h"

namespace phi {

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
  CheckConvAttributes(strides, paddings, padding_algorithm, dilations, data_format);
  CheckSameDataType("x", x, "filter", filter);
  PADDLE_ENFORCE(
      x.dims().size() == 4 && filter.dims().size() == 4,
      errors::InvalidArgument(
          "expected 4 dimensions of 'x' and of 'filter', got the shapes %s and %s", x.dims(), filter.dims()));
  const auto check_two = [](const char* name, size_t size) {
    PADDLE_ENFORCE(size == 0 || size == 2,
                   errors::InvalidArgument("argument '%s': expected 2 numbers (height, width), got %d", name, size));
  };
  check_two("output_padding", output_padding.size());
  check_two("output_size", output_size.size());
  const bool channels_last = data_format == "NHWC";
  const int channel = channels_last ? 3 : 1;
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
  for (int i = 0; i < 2; ++i) {
    const int axis = channels_last ? 1 + i : 2 + i;
    const bool two_sided = paddings.size() == 4;
    const int dilation = padding_algorithm == "SAME" ? 1 : dilations[i];
    Dim least = (x.dims(axis) - Dim(1)) * Dim(strides[i]) + Dim(dilation) * (filter.dims(2 + i) - Dim(1)) + Dim(1);
    PADDLE_ENFORCE(
        x.dims(axis) > 0 && filter.dims(2 + i) > 0,
        errors::InvalidArgument(
            "expected images and filters that are not empty, got the shapes %s and %s", x.dims(), filter.dims()));
    if (padding_algorithm == "SAME") {
      const Dim rest = ((x.dims(axis) + Dim(strides[i] - 1)) / Dim(strides[i]) - Dim(1)) * Dim(strides[i]);
      const Dim sum = rest + filter.dims(2 + i) - x.dims(axis);
      if (sum > 0) least = least - sum;
    } else if (padding_algorithm == "EXPLICIT") {
      least = least - Dim(paddings[two_sided ? 2 * i : i]) - Dim(paddings[two_sided ? 2 * i + 1 : i]);
    }
    dims[axis] = ConvTransposeOutputSize(least,
                                         strides[i],
                                         dilation,
                                         output_size.empty() ? nullptr : &output_size[i],
                                         output_padding.empty() ? 0 : output_padding[i]);
  }
  SetImages(dims, x.dtype(), x, out);
}

}  // namespace phi
