// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/loop/axis_shape.h"
#include "primitive/loop/softmax_functor.h"
#include "primitive/loop/vec_loop.h"

// The steps of a softmax on the CPU: along a row (the axis is the last one), or down columns that lie side by side.
// The sums that they give are NaN where the maximum is not finite, as such a softmax is not defined.
namespace phi::primitive {

// Columns that are computed together.
inline constexpr int64_t kColumnTile = 256;

// A NaN may be passed over: the sum of the softmax is NaN then.
template <typename T>
Acc<T> RowMax(int64_t n, const T* x) {
  const auto max = [](const Vec<T>& a, const Vec<T>& b) { return at::vec::clamp_min(a, b); };
  return VecReduce<Acc<T>>(n, -std::numeric_limits<Acc<T>>::infinity(), max, [](const Vec<T>& v) { return v; }, x);
}

// out = softmax(x), where `max` is RowMax(x); returns the sum of exp(x - max). out may be x.
// `buffer` is SoftmaxBuffer(n, stream), `stream` as for VecWrite.
template <typename T>
Acc<T> RowSoftmax(int64_t n, const T* x, Acc<T> max, T* out, Acc<T>* buffer, bool stream) {
  if constexpr (std::is_same_v<T, Acc<T>>) buffer = stream ? buffer : out;
  const Acc<T> exps = VecMapSum(n, buffer, [=](const Vec<T>& v) { return math::Exp(v - Vec<T>(max)); }, x);
  const Acc<T> sum = exps + (max - max);
  const Acc<T> scale = Acc<T>(1) / sum;
  VecWrite(n, out, stream, [=](const Vec<T>& v) { return v * Vec<T>(scale); }, buffer);
  return sum;
}

// out = x - log(sum(exp(x))); out may be x.
template <typename T>
void RowLogSoftmax(int64_t n, const T* x, Acc<T> max, T* out, bool stream) {
  const Acc<T> sum = VecSum(n, [=](const Vec<T>& v) { return math::Exp(v - Vec<T>(max)); }, x);
  const Acc<T> shift = std::log(sum + (max - max));
  VecWrite(n, out, stream, [=](const Vec<T>& v) { return v - Vec<T>(max) - Vec<T>(shift); }, x);
}

// A buffer of n elements where the exponentials of a softmax do not fit in its result: in half types, or if that is
// written past the caches. Else null.
template <typename T>
std::unique_ptr<Acc<T>[]> SoftmaxBuffer(int64_t n, bool stream = false) {
  if (std::is_same_v<T, Acc<T>> && !stream) return nullptr;
  return std::unique_ptr<Acc<T>[]>(new Acc<T>[n]);
}

// Rows of `width` columns, `stride` apart. Narrow columns that fill their rows are taken several rows at a time, as
// wider columns, of which element i belongs to column i % width. What belongs to columns is an array of kColumnTile
// elements.
class ColumnRows {
 public:
  ColumnRows(int64_t dim, int64_t stride, int64_t width) : end_(dim * stride), stride_(stride), columns_(width) {
    constexpr int64_t kNarrow = kColumnTile / 4;
    if (stride == width && width <= kNarrow) stride_ = kColumnTile / width * width;
    width_ = stride == width ? std::min(stride_, end_) : width;
  }

  int64_t width() const { return width_; }
  // Calls f(row, at, n) for the n elements of each row, which begin at `at`; the last row may be shorter.
  template <typename F>
  void ForEach(const F& f) const {
    int64_t row = 0;
    for (int64_t at = 0; at < end_; at += stride_) f(row++, at, std::min(width_, end_ - at));
  }
  // values[i] = the combined values of the elements of column i, for all of them.
  template <typename T, typename Combine>
  void Combined(Acc<T>* values, const Combine& combine) const {
    for (int64_t n = width_, half; n > columns_; n -= half) {
      half = n / columns_ / 2 * columns_;
      VecMap(half, values, combine, values, values + n - half);
    }
    for (int64_t n = columns_; n < width_; n *= 2) std::copy_n(values, std::min(n, width_ - n), values + n);
  }

 private:
  int64_t end_, stride_, columns_, width_;
};

// The maxima of columns of x.
template <typename T>
void ColumnMax(const ColumnRows& rows, const T* x, Acc<T>* max) {
  const auto larger = [](const Vec<T>& a, const Vec<T>& b) { return at::vec::maximum(a, b); };
  std::fill_n(max, rows.width(), -std::numeric_limits<Acc<T>>::infinity());
  rows.ForEach([&](int64_t, int64_t at, int64_t n) { VecMap(n, max, larger, max, x + at); });
  rows.Combined<T>(max, larger);
}

// SoftmaxBuffer(dim * width) where that stays in a cache. Null: the exponentials of a long axis are computed again
// rather than read from memory, or stand in the result, which is no half type.
template <typename T>
std::unique_ptr<Acc<T>[]> ColumnBuffer(int64_t dim, int64_t width) {
  constexpr int64_t kMost = 1 << 17;
  return dim * width > kMost ? nullptr : SoftmaxBuffer<T>(dim * width);
}

// The sums of exp(x - max).
template <typename T>
void ColumnSums(const ColumnRows& rows, const T* x, const Acc<T>* max, Acc<T>* sum) {
  const auto add = [](const Vec<T>& s, const Vec<T>& v, const Vec<T>& m) { return s + math::Exp(v - m); };
  VecMap(rows.width(), sum, [](const Vec<T>& m) { return m - m; }, max);
  rows.ForEach([&](int64_t, int64_t at, int64_t n) { VecMap(n, sum, add, sum, x + at, max); });
  rows.Combined<T>(sum, VecAdd());
}

// A softmax that computes the exponentials again. By itself, as it would slow down the loops of the other one.
template <typename T>
[[gnu::noinline]] void ColumnSoftmaxAgain(const ColumnRows& rows, const T* x, const Acc<T>* max, T* out, Acc<T>* sum) {
  ColumnSums(rows, x, max, sum);
  const auto share = [](const Vec<T>& v, const Vec<T>& m, const Vec<T>& s) { return math::Exp(v - m) / s; };
  rows.ForEach([&](int64_t, int64_t at, int64_t n) { VecMap(n, out + at, share, x + at, max, sum); });
}

// As RowSoftmax, for columns. `buffer` is ColumnBuffer of them.
template <typename T>
void ColumnSoftmax(const ColumnRows& rows, const T* x, const Acc<T>* max, T* out, Acc<T>* sum, Acc<T>* buffer) {
  const auto place = [&](int64_t row, [[maybe_unused]] int64_t at) {
    if constexpr (std::is_same_v<T, Acc<T>>) {
      return out + at;
    } else {
      return buffer + row * rows.width();
    }
  };
  if (!std::is_same_v<T, Acc<T>> && buffer == nullptr) return ColumnSoftmaxAgain(rows, x, max, out, sum);
  VecMap(rows.width(), sum, [](const Vec<T>& m) { return m - m; }, max);
  rows.ForEach([&](int64_t row, int64_t at, int64_t n) {
    Acc<T>* exps = place(row, at);
    VecMap(n, exps, [](const Vec<T>& v, const Vec<T>& m) { return math::Exp(v - m); }, x + at, max);
    VecMap(n, sum, VecAdd(), sum, exps);
  });
  rows.Combined<T>(sum, VecAdd());
  const auto share = [](const Vec<T>& e, const Vec<T>& s) { return e / s; };
  rows.ForEach([&](int64_t row, int64_t at, int64_t n) { VecMap(n, out + at, share, place(row, at), sum); });
}

// As RowLogSoftmax, for columns.
template <typename T>
void ColumnLogSoftmax(const ColumnRows& rows, const T* x, const Acc<T>* max, T* out, Acc<T>* sum) {
  ColumnSums(rows, x, max, sum);
  VecMap(rows.width(), sum, [](const Vec<T>& s) { return math::Log(s); }, sum);
  const auto shift = [](const Vec<T>& v, const Vec<T>& m, const Vec<T>& s) { return v - m - s; };
  rows.ForEach([&](int64_t, int64_t at, int64_t n) { VecMap(n, out + at, shift, x + at, max, sum); });
}

// Calls rows(first, last) for ranges of outer indices when the axis is the last one, otherwise
// columns(outer, begin, width) for tiles of columns; both in parallel. What a column gives does not depend on its tile,
// so tiles are narrower where threads would have none.
template <typename Rows, typename Columns>
void ForEachAxisTile(const AxisShape& shape, const Rows& rows, const Columns& columns) {
  if (shape.inner == 1) return ParallelFor(shape.outer, RowGrain(shape.dim), rows);
  constexpr int64_t kNarrowest = 64;
  const int64_t wanted = ThreadPool::Current().size() / std::max<int64_t>(1, shape.outer);  // tiles of an outer index
  const int64_t tile = std::clamp(shape.inner / std::max<int64_t>(1, wanted), kNarrowest, kColumnTile);
  const int64_t tiles = CeilDiv(shape.inner, tile);
  ParallelFor(shape.outer * tiles, RowGrain(shape.dim * std::min(shape.inner, tile)), [&](int64_t first, int64_t last) {
    for (int64_t task = first; task < last; ++task) {
      const int64_t begin = task % tiles * tile;
      columns(task / tiles, begin, std::min(tile, shape.inner - begin));
    }
  });
}

// dx = F::Gradient(y, dy, the sum of F::Term(y, dy) along the axis).
template <typename F, typename T>
void SoftmaxGradAxis(const AxisShape& shape, const T* y, const T* dy, T* dx) {
  using V = Vec<T>;
  const bool stream = primitive::detail::Streams(shape.outer * shape.dim, dx, y, dy);
  const auto rows = [&](int64_t first, int64_t last) {
    for (int64_t at = first * shape.dim; at < last * shape.dim; at += shape.dim) {
      const auto term = [](const V& a, const V& b) { return F::Term(a, b); };
      const V sum(VecSum(shape.dim, term, y + at, dy + at));
      const auto gradient = [=](const V& a, const V& b) { return F::Gradient(a, b, sum); };
      VecWrite(shape.dim, dx + at, stream, gradient, y + at, dy + at);
    }
    if (stream) primitive::detail::EndStream();
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    Acc<T> sums[kColumnTile] = {};
    const ColumnRows lines(shape.dim, shape.inner, width);
    const int64_t from = outer * shape.dim * shape.inner + begin;
    const auto add = [](const V& s, const V& a, const V& b) { return s + F::Term(a, b); };
    lines.ForEach([&](int64_t, int64_t at, int64_t n) { VecMap(n, sums, add, sums, y + from + at, dy + from + at); });
    lines.Combined<T>(sums, VecAdd());
    const auto gradient = [](const V& s, const V& a, const V& b) { return F::Gradient(a, b, s); };
    lines.ForEach([&](int64_t, int64_t at, int64_t n) {
      VecMap(n, dx + from + at, gradient, sums, y + from + at, dy + from + at);
    });
  };
  ForEachAxisTile(shape, rows, columns);
}

}  // namespace phi::primitive
