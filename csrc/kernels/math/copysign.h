// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/zero.h"
#include "primitive/math.h"

namespace phi {

struct CopysignOfWordsFunctor {
  HOSTDEVICE uint16_t operator()(uint16_t x, uint16_t y) const { return (x & 0x7fff) | (y & 0x8000); }
};

struct CopysignFunctor {
  using OfWords = CopysignOfWordsFunctor;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    if constexpr (std::is_same_v<V, bool> || std::is_unsigned_v<V>) {
      return x;
    } else if constexpr (std::is_integral_v<V>) {
      return (x < 0) == (y < 0) ? x : Negated(x);
    } else {
      return math::Copysign(x, y);
    }
  }

  // The least integer wraps around.
  template <typename V>
  HOSTDEVICE static V Negated(V x) {
    using U = std::make_unsigned_t<V>;
    return static_cast<V>(U(0) - static_cast<U>(x));
  }
};

struct CopysignXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    const V sign = math::Select(x < V(0), V(-1), math::Select(x > V(0), V(1), V(0)));
    return dout * sign * math::Copysign(V(1), y);
  }
};

}  // namespace phi
