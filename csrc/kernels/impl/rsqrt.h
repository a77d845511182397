// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct RsqrtFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Rsqrt(math::Floating(x));
  }
};

template <typename T>
struct RsqrtGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return V(-0.5) * dout * out * out * out;
  }
};

}  // namespace phi
