// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "common/ceil_div.h"
#include "kernels/funcs/pooling_cpu.h"

// The gradient of a maximum goes to the first element that is it, row by row. A NaN is the maximum of every window that
// it is in.
namespace phi::funcs {

template <typename V>
V IsMaximum(const V& x, const V& max) {
  return (x == max) | (x != x);
}

// Where the first maximum of a window of a channel is; -1 for a window without elements.
template <typename T>
int64_t FirstMaximum(const PoolWindow& d,
                     const PoolWindow& h,
                     const PoolWindow& w,
                     const PoolExtent& in,
                     const T* volume,
                     primitive::Acc<T> max) {
  using Pair = primitive::detail::SimdPair<primitive::Acc<T>>;
  using V = primitive::Vec<T>;
  const auto misses = [=](const V& x) { return static_cast<uint64_t>(IsMaximum(x, V(max)).zero_mask()); };
  // -1, or the first of n neighbours
  const auto find = [=](int64_t begin, int64_t n) -> int64_t {
    for (int64_t i = 0; i < n; i += Pair::kSize) {
      const T* from = volume + begin + i;
      const Pair x = n - i < Pair::kSize ? Pair::Load(from, n - i) : Pair::Load(from);
      const int64_t at = i + std::countr_one(misses(x.lo) | misses(x.hi) << V::size());
      if (at < std::min(i + Pair::kSize, n)) return begin + at;
    }
    return -1;
  };
  int64_t at = -1;
  for (int64_t z = d.begin; z < d.end && at < 0; ++z) {
    const int64_t first = z * in.height;
    if (w.begin == 0 && w.end == in.width) {
      at = find((first + h.begin) * in.width, (h.end - h.begin) * in.width);
      continue;
    }
    for (int64_t i = h.begin; i < h.end && at < 0; ++i) {
      at = find((first + i) * in.width + w.begin, w.end - w.begin);
    }
  }
  return at;
}

// Each maximum gets what is left of its window's gradient, and then nothing is left.
template <typename T>
void GiveToMaxima(int64_t n, const T* x, const T* max, primitive::Acc<T>* rest, primitive::Acc<T>* sum) {
  using Pair = primitive::detail::SimdPair<primitive::Acc<T>>;
  using V = primitive::Vec<T>;
  const auto give = [](const V& x, const V& max, V* rest, V* sum) {
    const V is_maximum = IsMaximum(x, max);
    *sum = V::blendv(*sum, *sum + *rest, is_maximum);
    *rest = V::blendv(*rest, V(0), is_maximum);
  };
  const auto step = [&](int64_t i, auto... count) {
    const Pair value = Pair::Load(x + i, count...);
    const Pair greatest = Pair::Load(max + i, count...);
    Pair left = Pair::Load(rest + i, count...);
    Pair total = Pair::Load(sum + i, count...);
    give(value.lo, greatest.lo, &left.lo, &total.lo);
    give(value.hi, greatest.hi, &left.hi, &total.hi);
    left.Store(rest + i, count...);
    total.Store(sum + i, count...);
  };
  int64_t i = 0;
  for (; i + Pair::kSize <= n; i += Pair::kSize) step(i);
  if (i < n) step(i, n - i);
}

// An axis taken apart: element e is element t of phase p, where e + before = t * stride + p. The elements at one place
// of neighbouring windows, which lie `stride` apart, are neighbours in their phase.
template <typename C>
class PoolPhases {
 public:
  explicit PoolPhases(const PoolSpan& span)
      : in_(span.in),
        before_(span.before),
        stride_(span.out == 1 ? 1 : span.stride),  // nothing follows a single window, however large its stride is
        size_(std::max(span.out + (span.kernel - 1) / stride_, CeilDiv(before_ + in_, stride_))) {}

  int64_t stride() const { return stride_; }
  int64_t size() const { return size_; }  // of each phase; the padding is part of it
  // Where element e is, if neighbours are `element` apart, and phases `phase`.
  int64_t At(int64_t e, int64_t element, int64_t phase) const {
    return (e + before_) / stride_ * element + (e + before_) % stride_ * phase;
  }

  // A row of the axis to its phases, which begin `phase` apart, and back.
  void Split(const C* row, C* phases, int64_t phase) const {
    if (stride_ == 1) return void(std::copy_n(row, in_, phases + before_));
    const auto block = [=](int64_t e, int64_t t, auto... pairs) {
      const Pair both = Pair::Load(row + e, (2 * pairs)...);
      const auto [even, odd] = at::vec::deinterleave2(both.lo, both.hi);
      even.store(phases + t, pairs...);
      odd.store(phases + t + phase, pairs...);
    };
    ForEach(block, [=](int64_t e, int64_t p, int64_t t) { phases[p * phase + t] = row[e]; });
  }
  void Join(const C* phases, int64_t phase, C* row) const {
    if (stride_ == 1) return void(std::copy_n(phases + before_, in_, row));
    const auto block = [=](int64_t e, int64_t t, auto... pairs) {
      const auto [lo, hi] =
          at::vec::interleave2(V::loadu(phases + t, pairs...), V::loadu(phases + t + phase, pairs...));
      Pair{lo, hi}.Store(row + e, (2 * pairs)...);
    };
    ForEach(block, [=](int64_t e, int64_t p, int64_t t) { row[e] = phases[p * phase + t]; });
  }

 private:
  using V = at::vec::Vectorized<C>;
  using Pair = primitive::detail::SimdPair<C>;

  // block(e, t) for Pair::kSize elements in two phases from t on; the last block may overlap, or a single one has the
  // number of pairs after t. element(e, p, t) for the others.
  template <typename Block, typename Element>
  void ForEach(const Block& block, const Element& element) const {
    const auto each = [&](int64_t e, int64_t end) {
      int64_t t = (e + before_) / stride_;
      for (int64_t p = e + before_ - t * stride_; e < end; ++e) {
        element(e, p, t);
        if (++p == stride_) p = 0, ++t;
      }
    };
    if (stride_ != 2) return each(0, in_);
    const int64_t begin = std::min(before_ % 2, in_);
    const int64_t end = in_ - (in_ - begin) % 2;
    each(0, begin);
    if (end - begin < Pair::kSize) {
      if (begin < end) block(begin, (begin + before_) / 2, (end - begin) / 2);
    } else {
      int64_t e = begin;
      for (; e + Pair::kSize <= end; e += Pair::kSize) block(e, (e + before_) / 2);
      if (e < end) block(end - Pair::kSize, (end - Pair::kSize + before_) / 2);
    }
    each(end, in_);
  }

  int64_t in_;
  int64_t before_;
  int64_t stride_;
  int64_t size_;
};

// The gradients of channels, one after the other, for windows that are not adaptive: one place of all windows of a
// depth after the other. Each phase of the rows has all phases of the columns.
template <typename C>
class MaxPoolGradByPlace {
 public:
  MaxPoolGradByPlace(const PoolSpan& depth, const PoolSpan& height, const PoolSpan& width)
      : depth_(depth),
        height_(height),
        width_(width),
        rows_(height),
        columns_(width),
        phase_(rows_.size() * columns_.size()),
        plane_(rows_.stride() * columns_.stride() * phase_),
        x_(depth.in * plane_, kLowest),
        sum_(x_.size()),
        max_(height.out * columns_.size()),
        rest_(max_.size()) {}

  void Run(const C* x, const C* max, const C* grad, C* x_grad) {
    ForEachRow([&](int64_t row, int64_t at) { columns_.Split(x + row * width_.in, x_.data() + at, phase_); });
    std::fill(sum_.begin(), sum_.end(), C(0));
    const int64_t windows = height_.out * width_.out;
    for (int64_t o = 0; o < depth_.out; ++o) RunDepth(depth_.Window(o), x, max + o * windows, grad + o * windows);
    ForEachRow([&](int64_t row, int64_t at) { columns_.Join(sum_.data() + at, phase_, x_grad + row * width_.in); });
  }

 private:
  static constexpr C kLowest = -std::numeric_limits<C>::infinity();  // the padding's

  int64_t RowAt(int64_t i) const { return rows_.At(i, columns_.size(), columns_.stride() * phase_); }
  int64_t ColumnAt(int64_t k) const { return columns_.At(k, 1, phase_); }
  // of the rows of all planes
  int64_t InRowAt(int64_t row) const { return row / height_.in * plane_ + RowAt(row % height_.in); }

  // f(row, where it begins) for the rows of all planes.
  template <typename F>
  void ForEachRow(const F& f) const {
    for (int64_t i = 0; i < height_.in; ++i) {
      const int64_t at = RowAt(i);
      for (int64_t z = 0; z < depth_.in; ++z) f(z * height_.in + i, z * plane_ + at);
    }
  }

  // The windows of one depth.
  void RunDepth(const PoolWindow& d, const C* x, const C* max, const C* grad) {
    LoadWindows(d, x, max, grad);
    const int64_t n = (height_.out - 1) * columns_.size() + width_.out;
    for (int64_t z = d.begin; z < d.end; ++z) {
      for (int64_t i = 0; i < height_.kernel; ++i) {
        for (int64_t k = 0; k < width_.kernel; ++k) {
          const int64_t at = z * plane_ + RowAt(i - height_.before) + ColumnAt(k - width_.before);
          GiveToMaxima(n, x_.data() + at, max_.data(), rest_.data(), sum_.data() + at);
        }
      }
    }
  }

  void LoadWindows(const PoolWindow& d, const C* x, const C* max, const C* grad) {
    using V = at::vec::Vectorized<C>;
    for (int64_t i = 0; i < height_.out; ++i) {
      std::copy_n(max + i * width_.out, width_.out, max_.data() + i * columns_.size());
      std::copy_n(grad + i * width_.out, width_.out, rest_.data() + i * columns_.size());
    }
    const auto is_lowest = [](const V& v) { return V::blendv(V(0), V(1), v == V(kLowest)); };
    if (primitive::VecSum(height_.out * width_.out, is_lowest, max) == 0) return;
    for (int64_t i = 0; i < height_.out; ++i) {
      for (int64_t j = 0; j < width_.out; ++j) GiveToLowest(d, i, j, x);
    }
  }

  // A window of which no element is greater than the padding.
  void GiveToLowest(const PoolWindow& d, int64_t i, int64_t j, const C* x) {
    const int64_t window = i * columns_.size() + j;
    if (max_[window] != kLowest) return;
    const PoolExtent in{depth_.in, height_.in, width_.in};
    const int64_t at = FirstMaximum(d, height_.Window(i), width_.Window(j), in, x, kLowest);
    if (at >= 0) sum_[InRowAt(at / width_.in) + ColumnAt(at % width_.in)] += rest_[window];
    rest_[window] = 0;
  }

  const PoolSpan& depth_;
  const PoolSpan& height_;
  const PoolSpan& width_;
  const PoolPhases<C> rows_;
  const PoolPhases<C> columns_;
  const int64_t phase_;  // elements of one
  const int64_t plane_;  // of all phases
  std::vector<C> x_;
  std::vector<C> sum_;
  std::vector<C> max_;
  std::vector<C> rest_;  // of the windows' gradients
};

}  // namespace phi::funcs
