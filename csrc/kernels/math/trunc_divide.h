// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/integer_division.h"
#include "primitive/math.h"

namespace phi {

struct TruncDivideFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    if constexpr (std::is_integral_v<V>) {
      const funcs::FloorDivision<V> floor(x, y);
      return static_cast<V>(floor.quotient + V((floor.remainder != V(0)) & (floor.quotient < V(0))));
    } else {
      return math::Trunc(x / y);
    }
  }
};

}  // namespace phi
