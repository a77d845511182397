// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "common/int_array.h"
#include "core/ddim.h"

namespace phi::funcs {

// A tiling as a broadcast: x seen as `from` broadcasts to the result seen as `to`. A repeated axis of x is two
// dimensions, the repeats, 1 in `from`, and its own. What is 1 in both is left out, and neighbours of one kind are
// joined.
class TileShapes {
 public:
  TileShapes(const DDim& x, const IntArray& repeat_times) {
    const int rank = std::max(x.size(), static_cast<int>(repeat_times.size()));
    sizes_.assign(rank, 1);
    repeats_.assign(rank, 1);
    std::copy(x.begin(), x.end(), sizes_.end() - x.size());
    std::copy(repeat_times.begin(), repeat_times.end(), repeats_.end() - repeat_times.size());
    for (int i = 0; i < rank; ++i) {
      Add(1, repeats_[i]);
      Add(sizes_[i], sizes_[i]);
    }
  }

  // A tensor has only so many dimensions: else the second half of the axes is tiled first.
  bool fits() const { return pairs_.size() <= DDim::kMaxRank; }
  DDim from() const { return Side(&Pair::from); }
  DDim to() const { return Side(&Pair::to); }

  IntArray inner_repeats() const { return Repeats(half(), repeats_.size()); }
  IntArray outer_repeats() const { return Repeats(0, half()); }
  DDim inner_dims() const {
    DDim dims(sizes_);
    for (int i = half(); i < dims.size(); ++i) dims[i] *= repeats_[i];
    return dims;
  }

 private:
  struct Pair {
    int64_t from;
    int64_t to;
    bool repeats;
  };

  void Add(int64_t from, int64_t to) {
    if (to == 1 && from == 1) return;
    const bool repeats = from != to;
    if (!pairs_.empty() && pairs_.back().repeats == repeats) {
      pairs_.back().from *= from;
      pairs_.back().to *= to;
    } else {
      pairs_.push_back({from, to, repeats});
    }
  }

  DDim Side(int64_t Pair::* side) const {
    DDim dims;
    for (const Pair& pair : pairs_) dims.push_back(pair.*side);
    return dims;
  }

  int half() const { return static_cast<int>(repeats_.size()) / 2; }
  IntArray Repeats(size_t begin, size_t end) const {
    std::vector<int64_t> repeats(repeats_.size(), 1);
    std::copy(repeats_.begin() + begin, repeats_.begin() + end, repeats.begin() + begin);
    return repeats;
  }

  std::vector<int64_t> sizes_;    // of x, with ones in front
  std::vector<int64_t> repeats_;  // as many
  std::vector<Pair> pairs_;
};

}  // namespace phi::funcs
