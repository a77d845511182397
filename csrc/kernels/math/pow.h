// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "primitive/math.h"

namespace phi {

template <typename C>
struct PowFunctor {
  math::Exponent<C> exponent;
  explicit PowFunctor(const Scalar& y) : exponent(y.to<math::Exponent<C>>()) {}
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Power(x, exponent);
  }
};

// y * x^(y - 1)
template <typename C>
struct PowGradFunctor {
  C exponent;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    if (exponent == C(0)) return V(0);
    return dout * math::Conj(V(exponent) * math::Power(x, exponent - C(1)));
  }
};

}  // namespace phi
