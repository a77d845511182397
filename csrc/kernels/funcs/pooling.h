// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"
#include "core/dense_tensor.h"
#include "infermeta/pooling.h"

namespace phi {

// The part of one axis that an output is computed from: [begin, end), and how many elements it counts for.
struct PoolWindow {
  int64_t begin;
  int64_t end;
  int64_t size;
};

// One spatial axis, as kernels see it.
struct PoolSpan {
  int64_t in;
  int64_t out;
  int64_t kernel;
  int64_t stride;
  int64_t before;
  bool adaptive;
  bool exclusive;

  HOSTDEVICE PoolWindow Window(int64_t i) const {
    if (adaptive) {
      const int64_t begin = i * in / out;
      const int64_t end = ((i + 1) * in + out - 1) / out;
      return {begin, end, end - begin};
    }
    const int64_t start = i * stride - before;
    // PHI cuts a window at the far edge by the padding of the near one
    const int64_t stop = Min(start + kernel, in + before);
    const int64_t begin = start < 0 ? 0 : start;
    const int64_t end = Min(stop, in);
    return {begin, end, exclusive ? end - begin : stop - start};
  }
  // The outputs [first, last) whose windows hold element i.
  HOSTDEVICE void OutputsOf(int64_t i, int64_t* first, int64_t* last) const {
    if (adaptive) {
      *first = i * out / in;
      *last = Min((((i + 1) * out + in - 1) / in), out);
    } else {
      const int64_t low = i + before - kernel;
      *first = low < 0 ? 0 : low / stride + 1;
      *last = Min((i + before) / stride + 1, out);
    }
  }

 private:
  HOSTDEVICE static int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
};

// The sizes of a volume; those of an image have a depth of one.
struct PoolExtent {
  int64_t depth;
  int64_t height;
  int64_t width;

  HOSTDEVICE int64_t size() const { return depth * height * width; }
};

// All that kernels of pooling know of their shapes.
struct PoolShape {
  int64_t batch;
  int64_t channels;
  PoolSpan depth;
  PoolSpan height;
  PoolSpan width;
  bool channel_last;
  bool is_max;

  PoolShape(const DDim& x,
            const DDim& pooled,
            const IntArray& kernel_size,
            const std::vector<int64_t>& strides,
            const std::vector<int64_t>& paddings,
            bool exclusive,
            const std::string& data_format,
            const std::string& pooling_type,
            bool global_pooling,
            bool adaptive,
            const std::string& padding_algorithm)
      : batch(x[0]), channel_last(IsChannelLast(data_format)), is_max(pooling_type == "max") {
    const PoolGeometry<int64_t> geometry(
        x, kernel_size, strides, paddings, channel_last, global_pooling, adaptive, padding_algorithm);
    const int spatial = x.size() - 2, first = channel_last ? 1 : 2;
    channels = x[channel_last ? spatial + 1 : 1];
    const auto span = [&](int i) { return Span(geometry.axis(i), pooled[first + i], exclusive); };
    depth = spatial == 3 ? span(0) : PoolSpan{1, 1, 1, 1, 0, false, exclusive};
    height = span(spatial - 2);
    width = span(spatial - 1);
  }

  HOSTDEVICE PoolExtent In() const { return {depth.in, height.in, width.in}; }
  HOSTDEVICE PoolExtent Out() const { return {depth.out, height.out, width.out}; }

 private:
  static PoolSpan Span(const PoolAxis<int64_t>& axis, int64_t out, bool exclusive) {
    return {axis.in, out, axis.kernel, axis.stride, axis.before, axis.adaptive, exclusive};
  }
};

// 1 / the elements that a window counts, 0 for one without elements.
template <typename MT>
HOSTDEVICE inline MT PoolScale(const PoolWindow& d, const PoolWindow& h, const PoolWindow& w) {
  const bool empty = d.end <= d.begin || h.end <= h.begin || w.end <= w.begin;
  return empty ? MT(0) : MT(1) / static_cast<MT>(d.size * h.size * w.size);
}

}  // namespace phi
