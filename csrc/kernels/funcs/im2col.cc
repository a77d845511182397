// SPDX-License-Identifier: Apache-2.0
#include "kernels/funcs/im2col.h"

#include <algorithm>
#include <vector>

#include "common/ceil_div.h"
#include "common/data_type.h"
#include "core/parallel.h"

namespace phi::funcs {

namespace {

constexpr int64_t kGrain = 16384;  // elements that are worth a thread

// The windows whose element at `tap` lies inside an axis of the image: [first, last).
struct Inside {
  int64_t first;
  int64_t last;
  int64_t offset;  // of that element for window 0

  Inside(const WindowGeometry& g, int axis, int64_t tap) : offset(tap * g.dilation[axis] - g.padding[axis]) {
    const int64_t stride = g.stride[axis];
    first = offset >= 0 ? 0 : std::min(CeilDiv(-offset, stride), g.windows[axis]);
    last = offset >= g.size[axis] ? 0 : std::min(CeilDiv(g.size[axis] - offset, stride), g.windows[axis]);
    last = std::max(first, last);
  }
};

template <typename T>
void FillRow(const WindowGeometry& g, const T* image, int64_t i, int64_t j, T* row) {
  const Inside y(g, 0, i);
  const Inside x(g, 1, j);
  const int64_t width = g.windows[1];
  std::fill(row, row + y.first * width, T(0));
  for (int64_t h = y.first; h < y.last; ++h) {
    const T* line = image + (h * g.stride[0] + y.offset) * g.size[1];
    T* out = row + h * width;
    std::fill(out, out + x.first, T(0));
    if (g.stride[1] == 1) {
      std::copy(line + x.first + x.offset, line + x.last + x.offset, out + x.first);
    } else {
      for (int64_t w = x.first; w < x.last; ++w) out[w] = line[w * g.stride[1] + x.offset];
    }
    std::fill(out + x.last, out + width, T(0));
  }
  std::fill(row + y.last * width, row + g.columns(), T(0));
}

template <typename C, typename T>
void AddRow(const WindowGeometry& g, const T* row, int64_t i, int64_t j, C* image) {
  const Inside y(g, 0, i);
  const Inside x(g, 1, j);
  for (int64_t h = y.first; h < y.last; ++h) {
    C* line = image + (h * g.stride[0] + y.offset) * g.size[1] + x.offset;
    const T* in = row + h * g.windows[1];
    for (int64_t w = x.first; w < x.last; ++w) line[w * g.stride[1]] += static_cast<C>(in[w]);
  }
}

}  // namespace

template <typename T>
void Im2Col(const CPUContext&, const WindowGeometry& g, const T* images, T* columns) {
  const int64_t taps = g.kernel[0] * g.kernel[1];
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, g.columns()));
  ParallelFor(g.images * g.channels * taps, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* image = images + row / taps * g.size[0] * g.size[1];
      const int64_t tap = row % taps;
      FillRow(g, image, tap / g.kernel[1], tap % g.kernel[1], columns + row * g.columns());
    }
  });
}

template <typename T>
void Col2Im(const CPUContext&, const WindowGeometry& g, const T* columns, T* images) {
  using C = typename dtype::MPTypeTrait<T>::Type;
  const int64_t taps = g.kernel[0] * g.kernel[1];
  const int64_t pixels = g.size[0] * g.size[1];
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, taps * g.columns()));
  ParallelFor(g.images * g.channels, grain, [&](int64_t begin, int64_t end) {
    std::vector<C> sums(pixels);
    for (int64_t plane = begin; plane < end; ++plane) {
      std::fill(sums.begin(), sums.end(), C(0));
      for (int64_t tap = 0; tap < taps; ++tap) {
        AddRow(g, columns + (plane * taps + tap) * g.columns(), tap / g.kernel[1], tap % g.kernel[1], sums.data());
      }
      for (int64_t i = 0; i < pixels; ++i) images[plane * pixels + i] = static_cast<T>(sums[i]);
    }
  });
}

#define PHI_INSTANTIATE(T)                                                                        \
  template void Im2Col<T>(const CPUContext&, const WindowGeometry&, const T* images, T* columns); \
  template void Col2Im<T>(const CPUContext&, const WindowGeometry&, const T* columns, T* images);
PHI_INSTANTIATE(float)
PHI_INSTANTIATE(double)
PHI_INSTANTIATE(dtype::float16)
PHI_INSTANTIATE(dtype::bfloat16)
#undef PHI_INSTANTIATE

}  // namespace phi::funcs
