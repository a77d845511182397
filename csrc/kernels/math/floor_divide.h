// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/integer_division.h"
#include "primitive/math.h"

namespace phi {

// Of floating point the quotient without the remainder, which is exact where x / y was rounded up to a whole number.
struct FloorDivideFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    if constexpr (std::is_integral_v<V>) {
      return funcs::FloorDivision<V>(x, y).quotient;
    } else {
      const V rest = math::Fmod(x, y);
      const auto other_sign = math::Xor(y < V(0), rest < V(0));
      const V exact = (x - rest) / y;
      const V quotient = math::Select(math::And(rest != V(0), other_sign), exact - V(1), exact);
      const V below = math::Floor(quotient);
      const V whole = math::Select(quotient - below > V(0.5), below + V(1), below);
      const V rounded = x / y;
      // beyond V's numbers, where the remainder is NaN of vectors; the infinity of an `x` that is one is not a quotient
      const auto is_beyond = math::And(rounded - rounded != V(0), x - x == V(0));
      const V found = math::Select(quotient == V(0), V(0) * rounded, whole);
      return math::Select(y == V(0), rounded, math::Select(is_beyond, rounded, found));
    }
  }
};

}  // namespace phi
