// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "primitive/convolution.h"

namespace phi::funcs {

// An image is copied with its padding to planes, one for each remainder of a position by the stride, so that what the
// windows of a row read at one place of the filter lies side by side. With rows of the planes one after the other,
// windows of several rows are one long row, too: what stands between them is computed, and thrown away.
struct ConvPlanes {
  int64_t images, channels, groups, filters, kernel[2], stride[2], dilation[2], padding[2], size[2], windows[2];
  int64_t height, width;  // of a plane
  int64_t reach;          // elements behind the planes that are read, and mean nothing

  ConvPlanes(const DDim& image, const DDim& filter, const DDim& out, const primitive::ConvParams& params, int64_t lanes)
      : images(image[0]), channels(image[1]), groups(params.groups), filters(filter[0]) {
    int64_t* sizes[] = {&height, &width};
    for (int i = 0; i < 2; ++i) {
      kernel[i] = filter[2 + i], stride[i] = params.strides[i], dilation[i] = params.dilations[i];
      padding[i] = params.paddings[2 * i], size[i] = image[2 + i], windows[i] = out[2 + i];
      *sizes[i] = windows[i] + (kernel[i] - 1) * dilation[i] / stride[i];
    }
    reach = width + lanes;
  }

  int64_t phases() const { return stride[0] * stride[1]; }
  int64_t plane() const { return height * width; }
  int64_t image() const { return channels * phases() * plane(); }  // elements of all planes of an image
  int64_t taps() const { return channels / groups * kernel[0] * kernel[1]; }
  int64_t work() const { return images * filters * taps() * windows[0] * width; }
};

// planes[phase][y][x] = image[y * stride + phase / stride - padding][...], 0 outside.
inline void CopyChannel(const ConvPlanes& g, const float* image, float* planes) {
  for (int64_t phase = 0; phase < g.phases(); ++phase) {
    const int64_t down = phase / g.stride[1] - g.padding[0], across = phase % g.stride[1] - g.padding[1];
    const int64_t stride = g.stride[1];
    const int64_t first = std::min(g.width, across >= 0 ? 0 : (-across + stride - 1) / stride);
    const int64_t last = std::clamp((g.size[1] - across + stride - 1) / stride, first, g.width);
    for (int64_t y = 0; y < g.height; ++y, planes += g.width) {
      const int64_t row = y * g.stride[0] + down;
      if (row < 0 || row >= g.size[0]) {
        std::fill_n(planes, g.width, 0.f);
        continue;
      }
      const float* from = image + row * g.size[1] + across;
      std::fill_n(planes, first, 0.f);
      if (stride == 1) {
        std::copy(from + first, from + last, planes + first);
      } else {
        for (int64_t x = first; x < last; ++x) planes[x] = from[x * stride];
      }
      std::fill(planes + last, planes + g.width, 0.f);
    }
  }
}

}  // namespace phi::funcs
