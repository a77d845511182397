// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct CosFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Cos(math::Floating(x));
  }
};

template <typename T>
struct CosGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return -dout * math::Sin(math::Conj(x));
  }
};

}  // namespace phi
