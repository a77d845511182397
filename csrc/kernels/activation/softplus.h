// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct SoftplusFunctor {
  T beta;
  T threshold;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    const V scaled = x * V(beta);
    if constexpr (dtype::is_complex_v<V>) {
      if (scaled.real() > threshold.real()) return x;
      const V most = math::Maximum(scaled.real(), V(0).real());  // keeps the exponents from what is too large
      return (most + math::Log(math::Exp(-most) + math::Exp(scaled - most))) / V(beta);
    } else {
      const V sum = math::Maximum(scaled, V(0)) + math::Log1p(math::Exp(-math::Abs(scaled)));
      return math::Select(scaled > V(threshold), x, sum / V(beta));
    }
  }
};

template <typename T>
struct SoftplusGradFunctor {
  T beta;
  T threshold;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V scaled = x * V(beta);
    const V slope = math::Conj(math::Sigmoid(scaled));
    return math::Select(math::Real(scaled) > math::Real(V(threshold)), dout, dout * slope);
  }
};

}  // namespace phi
