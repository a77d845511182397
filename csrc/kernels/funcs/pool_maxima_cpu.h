// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "kernels/funcs/pooling_cpu.h"

namespace phi::funcs {

// Finds where the maxima of one row of NCHW windows are first, row by row; NaN counts as the greatest value. Positions
// are kept as numbers of the accumulating type, relative to the first row, so that vectors of them can be compared.
template <typename T>
class PoolRowMaxima {
 public:
  using MT = Acc<T>;
  using V = Vec<T>;

  explicit PoolRowMaxima(const PoolSpan& width)
      : width_(width),
        columns_(width.in),
        max_(width.in),
        position_(width.in),
        best_(width.out),
        best_position_(width.out) {
    for (int64_t k = 0; k < width.in; ++k) columns_[k] = static_cast<MT>(k);
    if (width.stride > 1) split_.resize(2 * PhaseSize() * width.stride);
  }

  // For windows over the rows `h` of a plane. Calls found(j, element of the plane) for each output j that has elements.
  template <typename F>
  void Find(const PoolWindow& h, const T* plane, const F& found) {
    if (h.end <= h.begin) return;
    CombineRows(h, plane);
    std::fill(best_.begin(), best_.end(), -std::numeric_limits<MT>::infinity());
    std::fill(best_position_.begin(), best_position_.end(), std::numeric_limits<MT>::infinity());
    if (width_.adaptive) {
      ForEachPoolColumn(width_, [this](int64_t j, int64_t k) {
        if (IsBetter(max_[k], position_[k], best_[j], best_position_[j])) {
          best_[j] = max_[k];
          best_position_[j] = position_[k];
        }
      });
    } else {
      CombineColumns();
    }
    for (int64_t j = 0; j < width_.out; ++j) {
      if (best_position_[j] != std::numeric_limits<MT>::infinity()) {
        found(j, h.begin * width_.in + static_cast<int64_t>(best_position_[j]));
      }
    }
  }

 private:
  static V IsGreater(const V& a, const V& b) { return (a > b) | ((a != a) & (b == b)); }
  static V IsEqual(const V& a, const V& b) { return (a == b) | ((a != a) & (b != b)); }
  static bool IsBetter(MT v, MT position, MT best, MT best_position) {
    const bool greater = v > best || (v != v && best == best);
    const bool equal = v == best || (v != v && best != best);
    return greater || (equal && position < best_position);
  }

  // The first maximum of each column.
  void CombineRows(const PoolWindow& h, const T* plane) {
    const int64_t n = width_.in;
    VecMap(n, max_.data(), [](const V& v) { return v; }, plane + h.begin * n);
    position_ = columns_;
    for (int64_t i = h.begin + 1; i < h.end; ++i) {
      const V start(static_cast<MT>((i - h.begin) * n));
      const auto move = [=](const V& p, const V& m, const V& v, const V& k) {
        return V::blendv(p, start + k, IsGreater(v, m));
      };
      VecMap(n, position_.data(), move, position_.data(), max_.data(), plane + i * n, columns_.data());
      VecMap(n, max_.data(), [](const V& m, const V& v) { return at::vec::maximum(m, v); }, max_.data(), plane + i * n);
    }
  }

  // The first maximum of each window. Column j * stride + place is at j + place / stride in its phase.
  void CombineColumns() {
    const MT* max = Split(max_, 0);
    const MT* position = Split(position_, 1);
    ForEachPoolPlace(width_, [&](int64_t first, int64_t last, int64_t place) {
      const int64_t phase = (place % width_.stride + width_.stride) % width_.stride;
      const int64_t at = phase * PhaseSize() + first + (place - phase) / width_.stride;
      const auto move = [](const V& bp, const V& b, const V& p, const V& v) {
        return V::blendv(bp, p, IsGreater(v, b) | (IsEqual(v, b) & (p < bp)));
      };
      MT* best = best_.data() + first;
      MT* best_position = best_position_.data() + first;
      VecMap(last - first, best_position, move, best_position, best, position + at, max + at);
      VecMap(last - first, best, [](const V& b, const V& v) { return at::vec::maximum(b, v); }, best, max + at);
    });
  }

  int64_t PhaseSize() const { return (width_.in + width_.stride - 1) / width_.stride; }

  // The columns 0, stride, 2 * stride, ..., then 1, stride + 1, ... and so on.
  const MT* Split(const std::vector<MT>& values, int64_t which) {
    if (width_.stride == 1) return values.data();
    MT* to = split_.data() + which * PhaseSize() * width_.stride;
    for (int64_t phase = 0; phase < width_.stride; ++phase) {
      MT* part = to + phase * PhaseSize();
      for (int64_t k = phase; k < width_.in; k += width_.stride) *part++ = values[k];
    }
    return to;
  }

  const PoolSpan& width_;
  std::vector<MT> columns_;
  std::vector<MT> max_;
  std::vector<MT> position_;
  std::vector<MT> best_;
  std::vector<MT> best_position_;
  std::vector<MT> split_;
};

}  // namespace phi::funcs
