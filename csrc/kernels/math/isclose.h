// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "primitive/math.h"

namespace phi {

struct IscloseFunctor {
  double rtol;
  double atol;
  bool equal_nan;
  IscloseFunctor(const Scalar& rtol, const Scalar& atol, bool equal_nan)
      : rtol(rtol.to<double>()), atol(atol.to<double>()), equal_nan(equal_nan) {}
  template <typename V>
  HOSTDEVICE auto operator()(V x, V y) const {
    const auto distance = math::Abs(x - y);
    using R = std::remove_const_t<decltype(distance)>;
    const auto within = distance <= R(atol) + R(rtol) * math::Abs(y);
    const auto close = math::Or(x == y, math::And(within, distance < R(INFINITY)));
    return equal_nan ? math::Or(close, math::And(x != x, y != y)) : close;
  }
};

}  // namespace phi
