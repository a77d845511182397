// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct IsinfFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    if constexpr (std::is_integral_v<V>) {
      return false;
    } else if constexpr (dtype::is_complex_v<V>) {
      return (*this)(x.real()) || (*this)(x.imag());
    } else {
      return math::Abs(x) == V(INFINITY);
    }
  }
};

}  // namespace phi
