// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "common/hostdevice.h"

// Boxes on images, and the pixels that belong to the cells of a grid over a box.
namespace phi::funcs {

// The image of a box, of which each image has as many as `counts` says, one after the other; `images` if it is of none.
template <typename Id>
HOSTDEVICE inline int64_t ImageOf(const Id* counts, int64_t images, int64_t box) {
  int64_t image = 0;
  for (int64_t end = 0; image < images; ++image) {
    end += static_cast<int64_t>(counts[image]);
    if (box < end) break;
  }
  return image;
}

struct PixelRange {
  int64_t begin, end;
};

// The rows or columns, of `size`, of one of `count` cells between two edges of a box, both of which belong to it.
HOSTDEVICE inline PixelRange CellPixels(float low, float high, float scale, int64_t cell, int64_t count, int64_t size) {
  constexpr float kFar = 1e9f;
  const auto place = [=](float edge) {
    const float at = std::round(edge * scale);
    return static_cast<int64_t>(at > -kFar ? (at < kFar ? at : kFar) : -kFar);
  };
  const int64_t first = place(low), length = place(high) - first + 1;
  const float step = static_cast<float>(length > 1 ? length : 1) / static_cast<float>(count);
  const auto inside = [=](float at) {
    const int64_t pixel = static_cast<int64_t>(at) + first;
    return pixel < 0 ? 0 : pixel < size ? pixel : size;
  };
  return {inside(std::floor(static_cast<float>(cell) * step)), inside(std::ceil(static_cast<float>(cell + 1) * step))};
}

}  // namespace phi::funcs
