// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/integer_division.h"
#include "primitive/math.h"

namespace phi {

// The nearest quotient with whole parts, of halves the one further from 0.
template <typename V>
HOSTDEVICE V WholeQuotient(V x, V y) {
  const V quotient = x / y;
  return V(std::round(quotient.real()), std::round(quotient.imag()));
}

struct RemainderFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    if constexpr (std::is_integral_v<V>) {
      return funcs::FloorDivision<V>(x, y).remainder;
    } else if constexpr (dtype::is_complex_v<V>) {
      return x - WholeQuotient(x, y) * y;
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
    } else if constexpr (dtype::is_complex_v<V>) {
      return -dout * math::Conj(WholeQuotient(x, y));
    } else {
      return -dout * math::Floor(x / y);
    }
  }
};

}  // namespace phi
