// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/detection/polygon_overlap.h"
#include "primitive/loop/vec_loop.h"

// The boxes of a class that no better one covers.
namespace phi {

// The boxes of one class of an image, each of left, top, right and bottom or of the corners of a polygon, and their
// scores.
template <typename T>
struct BoxCandidates {
  const T* boxes;
  const T* scores;
  int numbers;  // of a box
  int64_t box_step;
  int64_t score_step;
  int64_t count;

  const T* box(int64_t i) const { return boxes + i * box_step; }
  T score(int64_t i) const { return scores[i * score_step]; }
};

// What the choice in one class after the other works with.
template <typename T>
struct BoxWorkspace {
  std::vector<std::pair<T, int64_t>> ranked;  // the scores that are high enough, and of which boxes they are
  std::vector<int64_t> kept;
  std::vector<T> left, top, right, bottom, area;  // of those that are kept
};

template <typename T>
struct BoxChoice {
  using V = at::vec::Vectorized<T>;

  T score_threshold;
  int top_k;
  T threshold;
  T pixel;
  T eta;

  // The boxes that no better one covers, the best one first: in `kept`.
  void Choose(const BoxCandidates<T>& given, BoxWorkspace<T>* space) const {
    Rank(given, &space->ranked);
    space->kept.clear();
    for (std::vector<T>* edges : {&space->left, &space->top, &space->right, &space->bottom, &space->area}) {
      edges->clear();
    }
    T limit = threshold;
    for (const auto& [score, i] : space->ranked) {
      if (!(given.numbers == 4 ? KeepBox(given.box(i), limit, space) : IsApart(given, i, limit, space->kept))) continue;
      space->kept.push_back(i);
      if (eta < 1 && limit > T(0.5)) limit *= eta;
    }
  }

 private:
  // The best scores in order, of equal ones that of the first box ahead.
  void Rank(const BoxCandidates<T>& given, std::vector<std::pair<T, int64_t>>* ranked) const {
    ranked->clear();
    for (int64_t i = 0; i < given.count; ++i) {
      if (given.score(i) > score_threshold) ranked->emplace_back(given.score(i), i);
    }
    const auto is_better = [](const auto& a, const auto& b) {
      return a.first > b.first || (a.first == b.first && a.second < b.second);
    };
    const bool all = top_k < 0 || ranked->size() <= static_cast<size_t>(top_k);
    if (!all) {
      std::nth_element(ranked->begin(), ranked->begin() + top_k, ranked->end(), is_better);
      ranked->resize(top_k);
    }
    std::sort(ranked->begin(), ranked->end(), is_better);
  }

  T Area(T left, T top, T right, T bottom) const {
    return right >= left && bottom >= top ? (right - left + pixel) * (bottom - top + pixel) : T(0);
  }
  V Area(const V& left, const V& top, const V& right, const V& bottom) const {
    const V area = (right - left + V(pixel)) * (bottom - top + V(pixel));
    return V::blendv(V(0), area, (right >= left) & (bottom >= top));
  }

  // Keeps a box if the part that it has in common of what it and another one cover together is small.
  bool KeepBox(const T* box, T limit, BoxWorkspace<T>* space) const {
    const T area = Area(box[0], box[1], box[2], box[3]);
    const V left(box[0]), top(box[1]), right(box[2]), bottom(box[3]), own(area);
    const auto overlap = [&](const V& l, const V& t, const V& r, const V& b, const V& other) {
      using at::vec::maximum;
      using at::vec::minimum;
      const V first = maximum(left, l), low = maximum(top, t), last = minimum(right, r), high = minimum(bottom, b);
      const V common = Area(first, low, last, high), covered = own + other - common;
      return V::blendv(common / covered, V(0), (last < first) | (high < low));  // of points that are apart, too
    };
    const auto most = [](const V& a, const V& b) { return at::vec::maximum(a, b); };  // a NaN covers
    const auto count = static_cast<int64_t>(space->kept.size());
    const T* const edges[] = {space->left.data(), space->top.data(), space->right.data(), space->bottom.data()};
    constexpr int64_t kBlock = 256;  // after which it is worth to look whether it is covered
    for (int64_t i = 0; i < count; i += kBlock) {
      const T found = primitive::VecReduce(std::min(kBlock, count - i),
                                           -std::numeric_limits<T>::infinity(),
                                           most,
                                           overlap,
                                           edges[0] + i,
                                           edges[1] + i,
                                           edges[2] + i,
                                           edges[3] + i,
                                           space->area.data() + i);
      if (!(found <= limit)) return false;
    }
    space->left.push_back(box[0]);
    space->top.push_back(box[1]);
    space->right.push_back(box[2]);
    space->bottom.push_back(box[3]);
    space->area.push_back(area);
    return true;
  }

  static bool IsApart(const BoxCandidates<T>& given, int64_t i, T limit, const std::vector<int64_t>& kept) {
    return std::all_of(kept.begin(), kept.end(), [&](int64_t k) {
      return PolygonOverlap(given.box(i), given.box(k), given.numbers / 2) <= limit;
    });
  }
};

}  // namespace phi
