// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/integer_division.h"
#include "primitive/math.h"

namespace phi {

struct RemainderFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    if constexpr (std::is_integral_v<V>) {
      return funcs::FloorDivision<V>(x, y).remainder;
    } else {
      const V rest = math::Fmod(x, y);
      const auto other_sign = math::Xor(y < V(0), rest < V(0));
      return math::Select(math::And(rest != V(0), other_sign), rest + y, rest);
    }
  }
};

struct RemainderYGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    if constexpr (std::is_integral_v<V>) {
      return -dout * funcs::FloorDivision<V>(x, y).quotient;
    } else {
      return -dout * math::Floor(x / y);
    }
  }
};

}  // namespace phi
