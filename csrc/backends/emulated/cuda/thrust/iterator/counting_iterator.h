// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thrust {

template <typename T>
struct counting_iterator {
  T first;
  T operator[](int64_t i) const { return first + static_cast<T>(i); }
  counting_iterator operator+(int64_t n) const { return {first + static_cast<T>(n)}; }
};

template <typename T>
counting_iterator<T> make_counting_iterator(T first) {
  return {first};
}

}  // namespace thrust
