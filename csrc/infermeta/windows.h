// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/int_array.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/pooling.h"
#include "infermeta/set_contiguous.h"

// InferMeta of ops that rearrange images, and cut them into windows.
namespace phi {

// Images of 4 dimensions; returns which is that of the channels.
template <class Dim>
int ChannelAxis(const MetaTensor<Dim>& x, const std::string& data_format) {
  PADDLE_ENFORCE(data_format == "NCHW" || data_format == "NHWC",
                 errors::InvalidArgument("argument 'data_format': expected 'NCHW' or 'NHWC', got '%s'", data_format));
  PADDLE_ENFORCE(x.dims().size() == 4,
                 errors::InvalidArgument("argument 'x': expected 4 dimensions, got the shape %s", x.dims()));
  return data_format == "NCHW" ? 1 : 3;
}

template <class Dim>
void ChannelShuffleInferMeta(const MetaTensor<Dim>& x,
                             int64_t groups,
                             const std::string& data_format,
                             MetaTensor<Dim>* out) {
  const Dim channels = x.dims(ChannelAxis(x, data_format));
  PADDLE_ENFORCE(groups > 0 && channels / Dim(groups) * Dim(groups) == channels,
                 errors::InvalidArgument(
                     "argument 'groups': expected a divisor of the %s channels of 'x', got %d", channels, groups));
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
}

template <class Dim>
void PixelUnshuffleInferMeta(const MetaTensor<Dim>& x,
                             int64_t downscale_factor,
                             const std::string& data_format,
                             MetaTensor<Dim>* out) {
  const int channel = ChannelAxis(x, data_format);
  const Dim factor = Dim(downscale_factor);
  BasicDDim<Dim> dims = x.dims();
  for (const int axis : {channel == 1 ? 2 : 1, channel == 1 ? 3 : 2}) {
    PADDLE_ENFORCE(
        downscale_factor > 0 && dims[axis] / factor * factor == dims[axis],
        errors::InvalidArgument("argument 'downscale_factor': expected a divisor of the height and the width "
                                "of 'x', whose shape is %s, got %d",
                                x.dims(),
                                downscale_factor));
    dims[axis] = dims[axis] / factor;
  }
  dims[channel] = CheckedMultiply(CheckedMultiply(dims[channel], factor), factor);
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void TemporalShiftInferMeta(const MetaTensor<Dim>& x,
                            int64_t seg_num,
                            double shift_ratio,
                            const std::string& data_format,
                            MetaTensor<Dim>* out) {
  ChannelAxis(x, data_format);
  PADDLE_ENFORCE(shift_ratio > 0 && shift_ratio < 0.5,
                 errors::InvalidArgument("argument 'shift_ratio': expected a number in (0, 0.5), got %f", shift_ratio));
  PADDLE_ENFORCE(
      seg_num > 0 && x.dims(0) / Dim(seg_num) * Dim(seg_num) == x.dims(0),
      errors::InvalidArgument(
          "argument 'seg_num': expected a divisor of %s, the first size of 'x', got %d", x.dims(0), seg_num));
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
}

// How many places a window has along an axis of `size` elements with the padding.
template <class Dim>
Dim WindowCount(const Dim& size, int kernel, int stride, int dilation) {
  const int64_t reach = int64_t{dilation} * (kernel - 1) + 1;
  PADDLE_ENFORCE(size >= reach,
                 errors::InvalidArgument("the window reaches over %d elements, more than there are: %s", reach, size));
  return (size - Dim(reach)) / Dim(stride) + Dim(1);
}

inline void CheckWindow(const std::vector<int>& kernel_sizes,
                        const std::vector<int>& strides,
                        const std::vector<int>& paddings,
                        const std::vector<int>& dilations) {
  const auto check = [](const std::vector<int>& values, const char* name, int least, bool may_be_four) {
    bool fits = values.size() == 2 || (may_be_four && values.size() == 4);
    for (const int value : values) fits = fits && value >= least;
    PADDLE_ENFORCE(fits,
                   errors::InvalidArgument("argument '%s': expected 2%s numbers of at least %d, got %s",
                                           name,
                                           may_be_four ? " or 4" : "",
                                           least,
                                           IntsText(values)));
  };
  for (const int value : paddings) {
    PADDLE_ENFORCE(
        value <= kMostPadding,
        errors::InvalidArgument("argument 'paddings': expected numbers of at most 2^29, got %s", IntsText(paddings)));
  }
  check(kernel_sizes, "kernel_sizes", 1, false);
  check(strides, "strides", 1, false);
  check(paddings, "paddings", 0, true);
  check(dilations, "dilations", 1, false);
}

template <class Dim>
void UnfoldInferMeta(const MetaTensor<Dim>& x,
                     const std::vector<int>& kernel_sizes,
                     const std::vector<int>& strides,
                     const std::vector<int>& paddings,
                     const std::vector<int>& dilations,
                     MetaTensor<Dim>* out) {
  ChannelAxis(x, "NCHW");
  PADDLE_ENFORCE(x.dims(1) >= 1 && x.dims(2) >= 1 && x.dims(3) >= 1,
                 errors::InvalidArgument("argument 'x': expected images with elements, got the shape %s", x.dims()));
  CheckWindow(kernel_sizes, strides, paddings, dilations);
  Dim count = 1;
  for (int i = 0; i < 2; ++i) {
    const Dim size = x.dims(2 + i) + Dim(int64_t{paddings[i]} + paddings[paddings.size() == 4 ? 2 + i : i]);
    count = CheckedMultiply(count, WindowCount(size, kernel_sizes[i], strides[i], dilations[i]));
  }
  out->set_dims(
      BasicDDim<Dim>{x.dims(0), CheckedMultiply(x.dims(1), Dim(int64_t{kernel_sizes[0]} * kernel_sizes[1])), count});
  out->set_dtype(x.dtype());
}

template <class Dim>
void FoldInferMeta(const MetaTensor<Dim>& x,
                   const std::vector<int>& output_sizes,
                   const std::vector<int>& kernel_sizes,
                   const std::vector<int>& strides,
                   const std::vector<int>& paddings,
                   const std::vector<int>& dilations,
                   MetaTensor<Dim>* out) {
  CheckWindow(kernel_sizes, strides, paddings, dilations);
  PADDLE_ENFORCE(
      output_sizes.size() == 2 && output_sizes[0] > 0 && output_sizes[1] > 0,
      errors::InvalidArgument("argument 'output_sizes': expected 2 positive numbers, got %s", IntsText(output_sizes)));
  int64_t count = 1;
  for (int i = 0; i < 2; ++i) {
    const int64_t size = int64_t{output_sizes[i]} + paddings[i] + paddings[paddings.size() == 4 ? 2 + i : i];
    count *= WindowCount(size, kernel_sizes[i], strides[i], dilations[i]);
  }
  const int64_t area = int64_t{kernel_sizes[0]} * kernel_sizes[1];
  PADDLE_ENFORCE(
      x.dims().size() == 3 && x.dims(2) == count && x.dims(1) > 0 && x.dims(1) / Dim(area) * Dim(area) == x.dims(1),
      errors::InvalidArgument(
          "argument 'x': expected the shape [batch, channels * %d, %d] with a channel at least, got %s",
          area,
          count,
          x.dims()));
  out->set_dims(BasicDDim<Dim>{x.dims(0), x.dims(1) / Dim(area), Dim(output_sizes[0]), Dim(output_sizes[1])});
  out->set_dtype(x.dtype());
}

template <class Dim>
void AffineGridInferMeta(const MetaTensor<Dim>& input,
                         const IntArrayBase<Dim>& output_shape,
                         bool,
                         MetaTensor<Dim>* output) {
  const int rank = static_cast<int>(output_shape.size());
  PADDLE_ENFORCE(rank == 4 || rank == 5,
                 errors::InvalidArgument("argument 'output_shape': expected 4 or 5 sizes, got %d", rank));
  const BasicDDim<Dim> expected{output_shape[0], Dim(rank - 2), Dim(rank - 1)};
  PADDLE_ENFORCE(input.dims() == expected,
                 errors::InvalidArgument(
                     "argument 'input': expected the shape %s for the output, got %s", expected, input.dims()));
  BasicDDim<Dim> dims{output_shape[0]};
  for (int i = 2; i < rank; ++i) {
    PADDLE_ENFORCE(
        output_shape[i] > 0,
        errors::InvalidArgument("argument 'output_shape': expected positive sizes, got %s", output_shape[i]));
    dims.push_back(output_shape[i]);
  }
  dims.push_back(Dim(rank - 2));
  output->set_dims(dims);
  output->set_dtype(input.dtype());
}

template <class Dim>
void ShuffleChannelInferMeta(const MetaTensor<Dim>& x, int64_t group, MetaTensor<Dim>* out) {
  const Dim channels = x.dims(ChannelAxis<Dim>(x, "NCHW"));
  PADDLE_ENFORCE(
      group > 0 && channels / Dim(group) * Dim(group) == channels,
      errors::InvalidArgument("argument 'group': expected a divisor of the %s channels, got %d", channels, group));
  SetContiguous(x.dims(), x.dtype(), out);
}

template <class Dim>
void MaxOutInferMeta(const MetaTensor<Dim>& x, int64_t groups, int64_t axis, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  BasicDDim<Dim> dims = x.dims();
  Dim& channels = dims[CanonicalAxis(axis, dims.size())];
  PADDLE_ENFORCE(groups > 0 && channels / Dim(groups) * Dim(groups) == channels,
                 errors::InvalidArgument(
                     "argument 'groups': expected a divisor of the %s channels of 'x', got %d", channels, groups));
  channels = channels / Dim(groups);
  SetContiguous(dims, x.dtype(), out);
}

}  // namespace phi
