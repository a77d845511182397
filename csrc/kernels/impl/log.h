// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct LogFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Log(math::Floating(x));
  }
};

template <typename T>
struct LogGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(x);
  }
};

}  // namespace phi
