// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/parallel.h"
#include "kernels/funcs/interp_axis.h"
#include "primitive/loop/vec_loop.h"

// Interpolation of uint8 on the CPU: as in Paddle, each pixel is the sum of its products in a certain order, of which
// each is rounded to float32, and the sum is rounded down.
namespace phi::funcs {

// The rows that a row of pixels is made of, each by its weight, one after the other; how many there are.
inline int ScaledRows(const InterpShape& shape, int64_t row, const uint8_t* x, float* scaled) {
  const int64_t slice = row / shape.height.out;
  const int64_t plane = slice / shape.depth.out;
  const InterpTap y = shape.height.At(row - slice * shape.height.out);
  const InterpTap z = shape.depth.At(slice - plane * shape.depth.out);
  const int64_t size = shape.width.in * shape.inner;
  int count = 0;
  for (int tap = 0; tap < 4; ++tap) {
    const bool is_below = tap & 1, is_behind = tap & 2;
    const float of_slice = is_behind ? z.weight : 1.0f - z.weight;
    const float of_row = is_below ? y.weight : 1.0f - y.weight;
    if (of_slice == 0 || of_row == 0) continue;
    const int64_t from = (plane * shape.depth.in + (is_behind ? z.hi : z.lo)) * shape.height.in;
    const uint8_t* pixels = x + (from + (is_below ? y.hi : y.lo)) * size;
    float* dst = scaled + count++ * size;
    for (int64_t i = 0; i < size; ++i) dst[i] = static_cast<float>(pixels[i]) * of_slice * of_row;
  }
  return count;
}

// A product of each pixel of a row: with the weight of its left or of its right one.
inline void ScaledColumns(
    const std::vector<InterpTap>& columns, int64_t inner, bool is_right, const float* row, float* products) {
  const auto each = [&](auto channels) {
    for (const InterpTap& tap : columns) {
      const float weight = is_right ? tap.weight : 1.0f - tap.weight;
      const float* pixel = row + (is_right ? tap.hi : tap.lo) * channels;
      for (int64_t c = 0; c < channels; ++c) *products++ = pixel[c] * weight;
    }
  };
  inner == 1 ? each(std::integral_constant<int64_t, 1>()) : each(inner);
}

inline void InterpolateBytes(const InterpShape& shape, const uint8_t* x, uint8_t* out) {
  const int64_t in_row = shape.width.in * shape.inner, out_row = shape.width.out * shape.inner;
  std::vector<InterpTap> columns(shape.width.out);
  for (int64_t j = 0; j < shape.width.out; ++j) columns[j] = shape.width.At(j);
  const int64_t rows = shape.planes * shape.depth.out * shape.height.out;
  ParallelFor(rows, primitive::RowGrain(out_row), [&](int64_t begin, int64_t end) {
    std::vector<float> scaled(4 * in_row), products(out_row), sums(out_row);
    for (int64_t row = begin; row < end; ++row) {
      const int count = ScaledRows(shape, row, x, scaled.data());
      std::fill(sums.begin(), sums.end(), 0.0f);
      for (int n = 0; n < 2 * count; ++n) {  // of volumes by rows, of images by columns
        const int from = shape.is_volume ? n / 2 : n % count;
        const bool is_right = shape.is_volume ? n % 2 == 1 : n >= count;
        // products are stored, as one that a fused operation adds is not rounded
        ScaledColumns(columns, shape.inner, is_right, scaled.data() + from * in_row, products.data());
        for (int64_t i = 0; i < out_row; ++i) sums[i] += products[i];
      }
      uint8_t* dst = out + row * out_row;
      for (int64_t i = 0; i < out_row; ++i) dst[i] = static_cast<uint8_t>(sums[i]);
    }
  });
}

}  // namespace phi::funcs
