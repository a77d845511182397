// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "primitive/loop/vec_loop.h"

// The tiles of Winograd's convolution F(4x4, 3x3), at the points 0, 1, -1, 2 and -2: Lavin and Gray, "Fast Algorithms
// for Convolutional Neural Networks" (2015). The source file of the convolution alone includes them.
namespace phi::funcs {

namespace {

using V = primitive::Vec<float>;
constexpr int kTile = 6;    // pixels of an image that a tile reads, on a side
constexpr int kPixels = 4;  // pixels of the result, on a side
constexpr int kProducts = kTile * kTile;

// out = G @ in: three elements of a filter.
inline void FilterLine(const double* in, int64_t step, double* out) {
  const double a = in[0], b = in[step], c = in[2 * step];
  out[0] = a / 4;
  out[1] = -(a + b + c) / 6;
  out[2] = -(a - b + c) / 6;
  out[3] = (a + 2 * b + 4 * c) / 24;
  out[4] = (a - 2 * b + 4 * c) / 24;
  out[5] = c;
}

// out = B' @ in.
inline void ImageLine(const V (&in)[kTile], V (&out)[kTile]) {
  const V two(2.0f), four(4.0f), five(5.0f);
  const V even = in[4] - four * in[2], odd = in[3] - four * in[1];
  const V near = in[4] - in[2], far = two * (in[3] - in[1]);
  out[0] = four * in[0] - five * in[2] + in[4];
  out[1] = even + odd;
  out[2] = even - odd;
  out[3] = near + far;
  out[4] = near - far;
  out[5] = four * in[1] - five * in[3] + in[5];
}

// out = A' @ in.
inline void ResultLine(const V (&in)[kTile], V (&out)[kPixels]) {
  const V two(2.0f), four(4.0f), eight(8.0f);
  const V sum = in[1] + in[2], difference = in[1] - in[2];
  const V far_sum = in[3] + in[4], far_difference = in[3] - in[4];
  out[0] = in[0] + sum + far_sum;
  out[1] = difference + two * far_difference;
  out[2] = sum + four * far_sum;
  out[3] = difference + eight * far_difference + in[5];
}

// out[i] = the i-th coefficient of a tile of an image, of `n` channels: of the pixels that `from` points to.
inline void ImageTile(const float* const (&from)[kTile][kTile], int64_t n, float* out, int64_t out_step) {
  for (int64_t c = 0; c < n; c += V::size()) {
    const auto lanes = std::min<int64_t>(n - c, V::size());
    V columns[kTile][kTile], line[kTile];
    for (int x = 0; x < kTile; ++x) {
      for (int y = 0; y < kTile; ++y) line[y] = V::loadu(from[y][x] + c, lanes);
      ImageLine(line, columns[x]);
    }
    for (int y = 0; y < kTile; ++y) {
      V row[kTile];
      for (int x = 0; x < kTile; ++x) row[x] = columns[x][y];
      ImageLine(row, line);
      for (int x = 0; x < kTile; ++x) line[x].store(out + (y * kTile + x) * out_step + c, lanes);
    }
  }
}

// write(y, x, channel, lanes, pixel) for the pixels of a tile of a result with `n` channels.
template <typename Write>
void ResultTile(const float* in, int64_t in_step, int64_t n, const Write& write) {
  for (int64_t c = 0; c < n; c += V::size()) {
    const auto lanes = std::min<int64_t>(n - c, V::size());
    V columns[kTile][kPixels], line[kTile], pixels[kPixels];
    for (int x = 0; x < kTile; ++x) {
      for (int y = 0; y < kTile; ++y) line[y] = V::loadu(in + (y * kTile + x) * in_step + c, lanes);
      ResultLine(line, columns[x]);
    }
    for (int y = 0; y < kPixels; ++y) {
      for (int x = 0; x < kTile; ++x) line[x] = columns[x][y];
      ResultLine(line, pixels);
      for (int x = 0; x < kPixels; ++x) write(y, x, c, lanes, pixels[x]);
    }
  }
}

}  // namespace

}  // namespace phi::funcs
