// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace phi {

// Whether it is the number 1. A symbol is not asked: the answer would hold for one of its sizes only.
template <class Dim>
bool IsNumberOne(const Dim& dim) {
  if constexpr (std::is_same_v<Dim, int64_t>) {
    return dim == 1;
  } else {
    return dim.maybe_as_int() == 1;
  }
}

}  // namespace phi
