// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct SinFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Sin(math::Floating(x));
  }
};

template <typename T>
struct SinGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * math::Cos(math::Conj(x));
  }
};

}  // namespace phi
