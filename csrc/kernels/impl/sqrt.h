// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct SqrtFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Sqrt(math::Floating(x));
  }
};

template <typename T>
struct SqrtGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return dout * V(0.5) / math::Conj(out);
  }
};

}  // namespace phi
