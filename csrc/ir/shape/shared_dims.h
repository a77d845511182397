// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace phi::ir {

// Which dimensions of `whole` a tensor has that is broadcast to it, as [begin, end), where these lie beside one another
// and its others are 1: all of the same shape, the last of a vector, one in the middle of channels, none of a scalar.
template <typename Size>
std::optional<std::pair<size_t, size_t>> SharedDims(std::span<const Size> tensor, std::span<const Size> whole) {
  if (tensor.size() > whole.size()) return std::nullopt;
  const auto is_one = [](const Size& size) { return size == Size(1); };
  const size_t absent = whole.size() - tensor.size();
  size_t begin = 0, end = 0;
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (is_one(tensor[i])) continue;
    const size_t at = absent + i;
    const bool follows = end == 0 || std::all_of(whole.begin() + end, whole.begin() + at, is_one);
    if (!(tensor[i] == whole[at]) || !follows) return std::nullopt;
    if (end == 0) begin = at;
    end = at + 1;
  }
  return std::pair(begin, end);
}

}  // namespace phi::ir
