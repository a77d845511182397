// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>

#include "primitive/convolution.h"
#include "primitive/loop/copy_run.h"

namespace phi::funcs {

// A quotient by what is mostly one.
inline int64_t Quotient(int64_t a, int64_t b) { return b == 1 ? a : a / b; }

// An image is copied with its padding to planes, one for each remainder of a position by the stride, so that what the
// windows of a row read at one place of the filter lies side by side. With rows of the planes one after the other,
// windows of several rows are one long row, too: what stands between them is computed, and thrown away.
//
// A transposed convolution is as many convolutions of one plane as its stride has places, its parts: to the pixels of
// a part the same taps of the filter are added. Images are volumes of which the depth may be 1.
struct ConvPlanes {
  int64_t images, channels, groups, filters;  // `filters` is the number of the result's channels
  bool transposed;
  int64_t size[3], kernel[3], dilation[3], out[3];
  int64_t stride[3], padding[3], plane_size[3];  // of the planes
  int64_t step[3];                               // of the pixels of one part of the result
  int64_t shift[3];                              // of a transposed one: the padding of the result

  ConvPlanes(const DDim& image, const DDim& filter, const DDim& result, const primitive::ConvParams& params)
      : images(image[0]), channels(image[1]), groups(params.groups), filters(result[1]), transposed(params.transposed) {
    const int spatial = image.size() - 2;
    for (int i = 0; i < 3; ++i) {
      const int axis = i - 3 + spatial;
      const bool is_there = axis >= 0;
      const int64_t steps = is_there ? params.strides[axis] : 1, before = is_there ? params.paddings[2 * axis] : 0;
      size[i] = is_there ? image[2 + axis] : 1;
      kernel[i] = is_there ? filter[2 + axis] : 1;
      out[i] = is_there ? result[2 + axis] : 1;
      dilation[i] = is_there ? params.dilations[axis] : 1;
      stride[i] = transposed ? 1 : steps;
      step[i] = transposed ? steps : 1;
      const int64_t reach = Quotient((kernel[i] - 1) * dilation[i], steps);  // of the filter, in pixels of a plane
      shift[i] = transposed ? before : 0;
      const int64_t skipped = transposed ? Quotient(before, steps) : 0;
      padding[i] = transposed ? reach - skipped : before;
      plane_size[i] = reach + (transposed ? Quotient(out[i] - 1 + before, steps) - skipped + 1 : out[i]);
    }
  }

  int64_t phases() const { return stride[0] * stride[1] * stride[2]; }
  int64_t parts() const { return PartsOf(0) * PartsOf(1) * PartsOf(2); }
  int64_t PartsOf(int axis) const { return std::min(step[axis], out[axis]); }
  // Parts that are computed before their pixels are written, which lie side by side.
  int64_t together() const { return step[2] == 2 ? PartsOf(2) : 1; }
  int64_t width() const { return plane_size[2]; }
  int64_t plane() const { return plane_size[0] * plane_size[1] * plane_size[2]; }
  int64_t image() const { return channels * phases() * plane(); }  // elements of all planes of an image
  int64_t volume() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t taps() const { return channels / groups * volume(); }
  int64_t pixels() const { return out[0] * out[1] * out[2]; }
  // Elements from one channel of the image to the next one in the filter, and from one of the result.
  int64_t channel_step() const { return transposed ? filters / groups * volume() : volume(); }
  int64_t filter_step() const { return transposed ? volume() : taps(); }
  int64_t FilterAt(int64_t first) const {  // where the filter of this channel of the result begins
    const int64_t of_group = filters / groups;
    return transposed ? first / of_group * taps() * of_group + first % of_group * volume() : first * taps();
  }
};

// Pixels of a result that the same taps of the filter go to: `first`, and those that are a multiple of steps from it.
struct ConvPart {
  int64_t first[3];
  int64_t windows[3];
  int64_t begin, end;  // its taps

  ConvPart() = default;
  ConvPart(const ConvPlanes& g, int64_t index) {
    for (int i = 2; i >= 0; --i) {
      const int64_t rest = Quotient(index, g.PartsOf(i));
      first[i] = index - rest * g.PartsOf(i);
      windows[i] = Quotient(g.out[i] - first[i] + g.step[i] - 1, g.step[i]);
      index = rest;
    }
  }
};

// A place of a filter: where its factor is, and what it is multiplied with for the first pixel of a part.
struct ConvTap {
  int64_t weight;
  int64_t place;
};

// Writes the taps of a part behind the `count` that are there; returns how many are there then.
inline int64_t AddTaps(const ConvPlanes& g, int64_t count, ConvPart* part, ConvTap* taps) {
  part->begin = count;
  // where tap `tap` of an axis is in a plane, and in which; false if it is none of this part
  const auto find = [&](int axis, int64_t tap, int64_t* phase, int64_t* at) {
    const int64_t steps = g.step[axis] * g.stride[axis];
    const int64_t reach = tap * g.dilation[axis], from = part->first[axis] + g.shift[axis];
    if (g.transposed && (from - reach) % steps != 0) return false;
    *phase = *phase * g.stride[axis] + (g.transposed ? 0 : reach % steps);
    *at = *at * g.plane_size[axis] + (g.transposed ? (from - reach) / steps + g.padding[axis] : reach / steps);
    return true;
  };
  for (int64_t i = 0; i < g.kernel[0]; ++i) {
    int64_t plane_phase = 0, plane_at = 0;
    if (!find(0, i, &plane_phase, &plane_at)) continue;
    for (int64_t j = 0; j < g.kernel[1]; ++j) {
      int64_t row_phase = plane_phase, row_at = plane_at;
      if (!find(1, j, &row_phase, &row_at)) continue;
      for (int64_t k = 0; k < g.kernel[2]; ++k) {
        int64_t phase = row_phase, at = row_at;
        if (!find(2, k, &phase, &at)) continue;
        taps[count++] = {(i * g.kernel[1] + j) * g.kernel[2] + k, phase * g.plane() + at};
      }
    }
  }
  const int64_t of_channel = count - part->begin, copies = g.phases() * g.plane();
  for (int64_t c = 1; c < g.channels / g.groups; ++c) {
    for (int64_t i = 0; i < of_channel; ++i, ++count) {
      const ConvTap& first = taps[part->begin + i];
      taps[count] = {first.weight + c * g.channel_step(), first.place + c * copies};
    }
  }
  return part->end = count;
}

// The positions along an axis of a plane that are inside of the image, and where in it the first one is.
struct InsideOf {
  int64_t first, last, from;

  InsideOf(const ConvPlanes& g, int axis, int64_t phase) {
    const int64_t stride = g.stride[axis], begin = phase - g.padding[axis];
    first = std::min(g.plane_size[axis], begin >= 0 ? 0 : Quotient(stride - 1 - begin, stride));
    last = std::clamp(Quotient(g.size[axis] - begin + stride - 1, stride), first, g.plane_size[axis]);
    from = begin + first * stride;
  }
};

template <typename T>
void CopyRow(const T* from, int64_t stride, int64_t n, float* to) {
  if constexpr (std::is_same_v<T, float>) {
    if (stride == 1) return primitive::CopyRun(from, to, n);
  }
  for (int64_t x = 0; x < n; ++x) to[x] = static_cast<float>(from[x * stride]);
}

// planes[phase][z][y][x] = image[z * stride + phase / stride - padding][...], 0 outside.
template <typename T>
void CopyChannel(const ConvPlanes& g, const T* image, float* planes) {
  std::fill_n(planes, g.phases() * g.plane(), 0.f);
  for (int64_t phase = 0; phase < g.phases(); ++phase, planes += g.plane()) {
    const int64_t row_phase = Quotient(phase, g.stride[2]), plane_phase = Quotient(row_phase, g.stride[1]);
    const InsideOf x(g, 2, phase - row_phase * g.stride[2]), y(g, 1, row_phase - plane_phase * g.stride[1]);
    const InsideOf z(g, 0, plane_phase);
    const int64_t row_step = g.stride[1] * g.size[2], columns = x.last - x.first;
    for (int64_t i = z.first; i < z.last; ++i) {
      const T* from = image + ((z.from + (i - z.first) * g.stride[0]) * g.size[1] + y.from) * g.size[2] + x.from;
      float* to = planes + (i * g.plane_size[1] + y.first) * g.width() + x.first;
      for (int64_t j = y.first; j < y.last; ++j, from += row_step, to += g.width()) {
        CopyRow(from, g.stride[2], columns, to);
      }
    }
  }
}

}  // namespace phi::funcs
