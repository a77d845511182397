// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct ElementwisePowFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    if constexpr (!std::is_integral_v<V>) {
      return math::Pow(x, y);
    } else {
      const int64_t exponent = static_cast<int64_t>(y);
      if (exponent >= 0) return math::Power(x, exponent);
      return static_cast<V>(x == V(1) ? 1 : x == V(-1) ? 1 - 2 * (exponent & 1) : 0);
    }
  }
};

// y * x^(y - 1)
struct ElementwisePowXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    return math::Select(y == V(0), V(0), dout * math::Conj(y * math::Pow(x, y - V(1))));
  }
};

// x^y * log(x), which tends to 0 at 0
struct ElementwisePowYGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    const auto real = math::Real(y);
    using R = std::remove_const_t<decltype(real)>;
    const V value = dout * math::Conj(math::Pow(x, y) * math::Log(x));
    return math::Select(math::And(x == V(0), real >= R(0)), V(0), value);
  }
};

}  // namespace phi
