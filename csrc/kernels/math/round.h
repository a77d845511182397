// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/zero.h"
#include "primitive/math.h"

namespace phi {

// With decimals the nearest multiple of a power of ten.
template <typename C>
struct RoundFunctor {
  bool whole;
  bool divides;
  double power;
  explicit RoundFunctor(int decimals)
      : whole(decimals == 0), divides(decimals < 0), power(std::pow(10.0, std::abs(static_cast<double>(decimals)))) {}
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if constexpr (std::is_integral_v<V>) {
      return x;
    } else if constexpr (dtype::is_complex_v<V>) {
      return V((*this)(x.real()), (*this)(x.imag()));
    } else {
      if (whole) return math::Round(x);
      return divides ? math::Round(x / V(power)) * V(power) : math::Round(x * V(power)) / V(power);
    }
  }
};

}  // namespace phi
