// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cub::emulated {

// Sorts the pairs [begin, end) by their keys; those of equal keys stay in order.
template <bool descending, typename K, typename V>
void SortPairs(const K* keys, K* keys_out, const V* values, V* values_out, int64_t begin, int64_t end) {
  std::vector<int64_t> order(end - begin);
  std::iota(order.begin(), order.end(), begin);
  const auto comes_first = [&](int64_t a, int64_t b) { return descending ? keys[b] < keys[a] : keys[a] < keys[b]; };
  std::stable_sort(order.begin(), order.end(), comes_first);
  for (int64_t i = 0; i < end - begin; ++i) {
    keys_out[begin + i] = keys[order[i]];
    values_out[begin + i] = values[order[i]];
  }
}

}  // namespace cub::emulated
