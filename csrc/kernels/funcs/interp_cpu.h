// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "core/parallel.h"
#include "kernels/funcs/interp_axis.h"
#include "kernels/funcs/interp_bytes.h"
#include "primitive/loop/vec_loop.h"

// Interpolation on the CPU: slices are mixed first, then rows in SIMD vectors, then columns. The gradient is an
// interpolation too, with the roles of input and output exchanged: each pixel is the sum of what it has a part in, in
// one order.
namespace phi::funcs {

// What each pixel of an axis is made of: the taps of pixel j are [begin[j], begin[j + 1]).
template <typename C>
struct InterpTaps {
  std::vector<int64_t> begin{0};
  std::vector<int32_t> index;
  std::vector<int32_t> owner;  // the pixel that a tap is of
  std::vector<C> weight;
  int64_t fewest = 2;  // of all pixels; no more than 2
  int64_t most = 0;

  int64_t size() const { return static_cast<int64_t>(begin.size()) - 1; }
  void Reserve(int64_t pixels, int64_t taps) {
    begin.reserve(pixels + 1);
    index.reserve(taps);
    owner.reserve(taps);
    weight.reserve(taps);
  }
  void Add(int64_t i, C w) {
    index.push_back(static_cast<int32_t>(i));
    owner.push_back(static_cast<int32_t>(size()));
    weight.push_back(w);
  }
  void Finish() {
    begin.push_back(static_cast<int64_t>(index.size()));
    const int64_t count = begin.back() - begin[size() - 1];
    fewest = std::min(fewest, count);
    most = std::max(most, count);
  }
};

template <typename C>
InterpTaps<C> ForwardTaps(const InterpAxis& axis) {
  InterpTaps<C> taps;
  taps.Reserve(axis.out, 2 * axis.out);
  for (int64_t j = 0; j < axis.out; ++j) {
    const InterpTap tap = axis.At(j);
    taps.Add(tap.lo, C(1) - static_cast<C>(tap.weight));
    taps.Add(tap.hi, static_cast<C>(tap.weight));
    taps.Finish();
  }
  return taps;
}

template <typename C>
InterpTaps<C> BackwardTaps(const InterpAxis& axis) {
  InterpTaps<C> taps;
  for (int64_t i = 0; i < axis.in; ++i) {
    int64_t begin, end;
    axis.Reach(i, &begin, &end);
    for (int64_t j = begin; j < end; ++j) taps.Add(j, axis.template Weight<C>(i, j));
    taps.Finish();
  }
  return taps;
}

// dst = a * w + b * v, and the same added to dst.
template <typename C, typename T>
void MixTwo(int64_t n, const T* a, C w, const T* b, C v, C* dst) {
  if constexpr (std::is_same_v<primitive::Acc<T>, C>) {
    using V = at::vec::Vectorized<C>;
    primitive::VecMap(
        n, dst, [w = V(w), v = V(v)](const V& x, const V& y) { return at::vec::fmadd(x, w, y * v); }, a, b);
  } else {
    for (int64_t i = 0; i < n; ++i) dst[i] = static_cast<C>(a[i]) * w + static_cast<C>(b[i]) * v;
  }
}
template <typename C, typename T>
void AddScaled(int64_t n, const T* a, C w, C* dst) {
  using V = at::vec::Vectorized<C>;
  primitive::VecMap(n, dst, [w = V(w)](const V& sum, const V& x) { return at::vec::fmadd(x, w, sum); }, dst, a);
}

template <typename C, typename T>
void Scale(int64_t n, const T* a, C w, C* dst) {
  if constexpr (std::is_same_v<primitive::Acc<T>, C>) {
    using V = at::vec::Vectorized<C>;
    primitive::VecMap(n, dst, [w = V(w)](const V& x) { return x * w; }, a);
  } else {
    for (int64_t i = 0; i < n; ++i) dst[i] = static_cast<C>(a[i]) * w;
  }
}

// dst = the sum of the taps [begin, end), vectors of `n` elements in `from`.
template <typename C, typename T>
void MixVectors(const InterpTaps<C>& taps, int64_t begin, int64_t end, int64_t n, const T* from, C* dst) {
  const auto at = [&](int64_t t) { return from + taps.index[t] * n; };
  if (begin == end) return static_cast<void>(std::fill_n(dst, n, C(0)));
  if (begin + 1 == end) return Scale(n, at(begin), taps.weight[begin], dst);
  MixTwo(n, at(begin), taps.weight[begin], at(begin + 1), taps.weight[begin + 1], dst);
  if constexpr (std::is_same_v<primitive::Acc<T>, C>) {
    for (int64_t t = begin + 2; t < end; ++t) AddScaled(n, at(t), taps.weight[t], dst);
  }
}

// One row of pixels of `inner` elements from the pixels of a row.
template <typename C>
void MixColumns(const InterpTaps<C>& taps, int64_t inner, const C* row, C* dst) {
  constexpr int64_t kWide = 8;  // elements that are worth a SIMD loop
  const int32_t* index = taps.index.data();
  const int64_t* begin = taps.begin.data();
  const C* weight = taps.weight.data();
  const int64_t n = taps.size();
  if (inner == 1 && taps.most == 1) {
    if (taps.fewest == 0) std::fill_n(dst, n, C(0));
    const int64_t count = static_cast<int64_t>(taps.index.size());
    for (int64_t t = 0; t < count; ++t) dst[taps.owner[t]] = row[index[t]] * weight[t];
  } else if (inner == 1 && taps.fewest == 2 && taps.most == 2) {
    for (int64_t j = 0; j < n; ++j) {
      dst[j] = row[index[2 * j]] * weight[2 * j] + row[index[2 * j + 1]] * weight[2 * j + 1];
    }
  } else if (inner == 1) {
    for (int64_t j = 0; j < n; ++j) {
      C sum = 0;
      for (int64_t t = begin[j]; t < begin[j + 1]; ++t) sum += row[index[t]] * weight[t];
      dst[j] = sum;
    }
  } else if (inner >= kWide) {
    for (int64_t j = 0; j < n; ++j) MixVectors(taps, begin[j], begin[j + 1], inner, row, dst + j * inner);
  } else {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t c = 0; c < inner; ++c) {
        C sum = 0;
        for (int64_t t = begin[j]; t < begin[j + 1]; ++t) sum += row[index[t] * inner + c] * weight[t];
        dst[j * inner + c] = sum;
      }
    }
  }
}

template <typename In, typename T>
void ResamplePlanes(int64_t planes,
                    int64_t inner,
                    int64_t in_height,
                    int64_t in_width,
                    const InterpTaps<primitive::Acc<T>>& rows,
                    const InterpTaps<primitive::Acc<T>>& columns,
                    const In* in,
                    T* out) {
  using C = primitive::Acc<T>;
  const int64_t in_row = in_width * inner;
  const int64_t out_row = columns.size() * inner;
  const bool single = in_height == 1 && rows.size() == 1;  // there are no rows to mix
  const auto mixed_row = [&](int64_t y, const In* from, C* mixed) -> const C* {
    if constexpr (std::is_same_v<In, C>) {
      if (single) return from;
    }
    MixVectors(rows, rows.begin[y], rows.begin[y + 1], in_row, from, mixed);
    return mixed;
  };
  ParallelFor(planes * rows.size(), primitive::RowGrain(out_row), [&](int64_t begin, int64_t end) {
    std::vector<C> mixed(in_row);
    std::vector<C> line(std::is_same_v<T, C> ? 0 : out_row);
    for (int64_t r = begin; r < end; ++r) {
      const int64_t plane = r / rows.size();
      const int64_t y = r - plane * rows.size();
      if (rows.begin[y] == rows.begin[y + 1]) {  // a row that has no part in anything
        std::fill_n(out + r * out_row, out_row, T(0));
        continue;
      }
      const C* row = mixed_row(y, in + plane * in_height * in_row, mixed.data());
      T* dst = out + r * out_row;
      if constexpr (std::is_same_v<T, C>) {
        MixColumns(columns, inner, row, dst);
      } else {
        MixColumns(columns, inner, row, line.data());
        primitive::VecMap(out_row, dst, [](const primitive::Vec<T>& v) { return v; }, line.data());
      }
    }
  });
}

// The height and width of an image, and the taps of the pixels to be.
template <typename C>
struct InterpImage {
  int64_t depth, height, width;
  InterpTaps<C> slices, rows, columns;
};

// First the slices, as rows of whole images, then these.
template <typename T, typename C>
void ResampleImages(
    const CPUContext& dev_ctx, int64_t planes, int64_t inner, const InterpImage<C>& image, const T* in, T* out) {
  const auto& [depth, height, width, slices, rows, columns] = image;
  if (depth == 1 && slices.size() == 1) return ResamplePlanes(planes, inner, height, width, rows, columns, in, out);
  InterpTaps<C> same;
  same.Add(0, C(1));
  same.Finish();
  const int64_t slice = height * width * inner;
  DenseTensor mixed;
  mixed.Resize({planes * slices.size() * slice});
  C* between = dev_ctx.Alloc<C>(&mixed);
  ResamplePlanes(planes, slice, depth, 1, slices, same, in, between);
  const C* from = between;
  ResamplePlanes(planes * slices.size(), inner, height, width, rows, columns, from, out);
}

// Nearest pixels are only moved. Word is of the size of an element.
template <typename Word>
void CopyNearest(const InterpShape& shape, const Word* in, Word* out) {
  const int64_t width = shape.width.out;
  const int64_t inner = shape.inner;
  const int64_t in_row = shape.width.in * inner;
  const int64_t out_row = width * inner;
  std::vector<int32_t> columns(width);
  for (int64_t j = 0; j < width; ++j) columns[j] = static_cast<int32_t>(shape.width.At(j).lo);
  const int64_t rows = shape.planes * shape.depth.out * shape.height.out;
  ParallelFor(rows, primitive::RowGrain(out_row), [&](int64_t begin, int64_t end) {
    const Word* last = nullptr;
    for (int64_t r = begin; r < end; ++r) {
      const int64_t slice = r / shape.height.out;
      const int64_t y = shape.height.At(r - slice * shape.height.out).lo;
      const int64_t plane = slice / shape.depth.out;
      const int64_t z = shape.depth.At(slice - plane * shape.depth.out).lo;
      const Word* row = in + ((plane * shape.depth.in + z) * shape.height.in + y) * in_row;
      Word* dst = out + r * out_row;
      if (row == last) {
        std::memcpy(dst, dst - out_row, out_row * sizeof(Word));
      } else if (inner == 1) {
        for (int64_t j = 0; j < width; ++j) dst[j] = row[columns[j]];
      } else {
        for (int64_t j = 0; j < width; ++j)
          std::memcpy(dst + j * inner, row + columns[j] * inner, inner * sizeof(Word));
      }
      last = row;
    }
  });
}

template <typename T>
void Interpolate(const CPUContext& dev_ctx, const InterpShape& shape, const T* x, T* out) {
  if (shape.height.nearest) return CopyNearest(shape, x, out);
  if constexpr (std::is_same_v<T, uint8_t>) {
    InterpolateBytes(shape, x, out);
  } else if constexpr (!std::is_integral_v<T>) {
    using C = primitive::Acc<T>;
    const InterpImage<C> image{shape.depth.in,
                               shape.height.in,
                               shape.width.in,
                               ForwardTaps<C>(shape.depth),
                               ForwardTaps<C>(shape.height),
                               ForwardTaps<C>(shape.width)};
    ResampleImages(dev_ctx, shape.planes, shape.inner, image, x, out);
  }
}

template <typename T>
void InterpolateGrad(const CPUContext& dev_ctx, const InterpShape& shape, const T* out_grad, T* x_grad) {
  using C = primitive::Acc<T>;
  const InterpImage<C> image{shape.depth.out,
                             shape.height.out,
                             shape.width.out,
                             BackwardTaps<C>(shape.depth),
                             BackwardTaps<C>(shape.height),
                             BackwardTaps<C>(shape.width)};
  ResampleImages(dev_ctx, shape.planes, shape.inner, image, out_grad, x_grad);
}

}  // namespace phi::funcs
