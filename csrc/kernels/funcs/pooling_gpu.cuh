// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/pooling.h"
#include "primitive/convert.h"
#include "primitive/gpu/for_each.cuh"

namespace phi::funcs {

// A pixel of one channel of one image.
struct PoolPixel {
  int64_t row;
  int64_t col;
  int64_t image;  // the plane, for NCHW
  int64_t channel;

  // the pixel of element i of a tensor with these heights and widths
  __device__ PoolPixel(const Pool2dShape& shape, int64_t height, int64_t width, int64_t i) {
    channel = shape.channel_last ? i % shape.channels : 0;
    if (shape.channel_last) i /= shape.channels;
    col = i % width;
    row = i / width % height;
    image = i / width / height;
  }
  // where pixel (r, c) of the same channel of the same image is, in a tensor of that height and width
  __device__ int64_t At(const Pool2dShape& shape, int64_t height, int64_t width, int64_t r, int64_t c) const {
    const int64_t pixel = (image * height + r) * width + c;
    return shape.channel_last ? pixel * shape.channels + channel : pixel;
  }
};

}  // namespace phi::funcs
