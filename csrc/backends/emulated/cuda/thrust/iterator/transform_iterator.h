// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thrust {

template <typename Iterator, typename F>
struct transform_iterator {
  Iterator iterator;
  F f;
  auto operator[](int64_t i) const { return f(iterator[i]); }
  transform_iterator operator+(int64_t n) const { return {iterator + n, f}; }
};

template <typename Iterator, typename F>
transform_iterator<Iterator, F> make_transform_iterator(Iterator iterator, F f) {
  return {iterator, f};
}

}  // namespace thrust
