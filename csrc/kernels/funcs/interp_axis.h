// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "common/hostdevice.h"

// Where the pixels of an interpolated image come from, along one axis. Positions are float32, as in Paddle.
namespace phi::funcs {

struct InterpTap {
  int64_t lo;
  int64_t hi;
  float weight;  // of hi; that of lo is 1 - weight
};

struct InterpAxis {
  int64_t in = 1;
  int64_t out = 1;
  float ratio = 0;
  bool nearest = false;
  bool align_corners = false;
  bool half_pixels = false;  // pixels are at their centres

  // `scale` is 0 where the sizes say it. A single output is Paddle's first pixel, or the middle one if it has a centre.
  InterpAxis(
      int64_t in, int64_t out, double scale, bool nearest, bool align_corners, bool half_pixels, bool single_has_centre)
      : in(in),
        out(out),
        nearest(nearest),
        align_corners(align_corners),
        half_pixels(half_pixels && !nearest && !align_corners) {
    if (out < 1 || (out == 1 && !(single_has_centre && this->half_pixels))) return;
    if (align_corners) {
      ratio = static_cast<float>(static_cast<double>(in - 1) / static_cast<double>(out - 1));
    } else {
      ratio = static_cast<float>(scale > 0 ? 1 / scale : static_cast<double>(in) / static_cast<double>(out));
    }
  }

  HOSTDEVICE InterpTap At(int64_t j) const {
    // Products are rounded to float before something is added: no fused operation may change a position.
    if (nearest) {
      const float product = static_cast<float>(static_cast<double>(ratio) * static_cast<double>(j));
      const int64_t i = static_cast<int64_t>(static_cast<double>(product) + (align_corners ? 0.5 : 0.0));
      return {Clamp(i), Clamp(i), 0};
    }
    const float k = static_cast<float>(j) + (half_pixels ? 0.5f : 0.0f);
    const float product = static_cast<float>(static_cast<double>(ratio) * static_cast<double>(k));
    const double shifted = static_cast<double>(product) - (half_pixels ? 0.5 : 0.0);
    const float position = static_cast<float>(shifted > 0 ? shifted : 0.0);
    const int64_t lo = Clamp(static_cast<int64_t>(position));
    const float weight = static_cast<float>(static_cast<double>(position) - static_cast<double>(lo));
    return {lo, Clamp(lo + 1), weight < 1 ? weight : 1};
  }

  // The weight of input i in output j.
  template <typename C>
  HOSTDEVICE C Weight(int64_t i, int64_t j) const {
    const InterpTap tap = At(j);
    return (tap.lo == i ? C(1) - static_cast<C>(tap.weight) : C(0)) + (tap.hi == i ? static_cast<C>(tap.weight) : C(0));
  }

  // The outputs [begin, end) that input i has a part in. Positions do not decrease.
  HOSTDEVICE void Reach(int64_t i, int64_t* begin, int64_t* end) const {
    *begin = 0;
    *end = out;
    if (ratio > 0) {  // a bit more than is needed, then without what is too much
      const double first = static_cast<double>(i - 1) / ratio;
      const double last = static_cast<double>(i + 2) / ratio;
      if (i > 0) *begin = Inside(static_cast<int64_t>(first - 3 - first * 1e-6));
      if (i < in - 1) *end = Inside(static_cast<int64_t>(last + 3 + last * 1e-6));
    }
    while (*begin < *end && At(*begin).hi < i) ++*begin;
    while (*begin < *end && At(*end - 1).lo > i) --*end;
  }

 private:
  HOSTDEVICE int64_t Clamp(int64_t i) const { return i < in ? i : in - 1; }
  HOSTDEVICE int64_t Inside(int64_t j) const { return j < 0 ? 0 : j < out ? j : out; }
};

// Images [planes, depth, height, width, inner]: inner is 1, or the channels if they are last. An axis that the images
// do not have has size 1.
struct InterpShape {
  int64_t planes;
  int64_t inner;
  InterpAxis depth;
  InterpAxis height;
  InterpAxis width;
  bool is_volume = false;

  bool IsCopy() const { return depth.in == depth.out && height.in == height.out && width.in == width.out; }
  int64_t InSize() const { return planes * depth.in * height.in * width.in * inner; }
  int64_t OutSize() const { return planes * depth.out * height.out * width.out * inner; }
};

}  // namespace phi::funcs
