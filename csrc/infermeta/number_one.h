// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace phi {

// Whether it is a number, and this one. A symbol is not asked: the answer would hold for one of its sizes only.
template <class Dim>
bool IsNumber(const Dim& dim, int64_t number) {
  if constexpr (std::is_same_v<Dim, int64_t>) {
    return dim == number;
  } else {
    return dim.maybe_as_int() == number;
  }
}
template <class Dim>
bool IsNumberOne(const Dim& dim) {
  return IsNumber(dim, 1);
}

}  // namespace phi
