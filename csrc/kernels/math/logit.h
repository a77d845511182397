// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct LogitFunctor {
  using C = decltype(math::Floating(T()));
  explicit LogitFunctor(double eps) : eps(static_cast<C>(eps)) {}

  template <typename V>
  HOSTDEVICE auto operator()(V given) const {
    const auto x = math::Floating(given);
    using F = std::remove_const_t<decltype(x)>;
    const F bounded = eps > C(0) ? math::Clamp(x, F(eps), F(C(1) - eps)) : x;
    return math::Log(bounded / (F(1) - bounded));
  }

  C eps;
};

template <typename T>
struct LogitGradFunctor {
  T eps;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const auto within = math::And(x >= V(eps), x <= V(T(1) - eps));
    return math::Select(within, dout / (x * (V(1) - x)), eps > T(0) ? V(0) : V(NAN));
  }
};

}  // namespace phi
