// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct SoftsignFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x / (V(1) + math::Abs(x));
  }
};

struct SoftsignGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const auto length = math::Abs(x);
    const V size = V(1) + length;
    if constexpr (dtype::is_complex_v<V>) {
      if (x == V(0)) return dout;
      const auto along = math::Real(math::Conj(dout) * x);
      return dout / size - x * V(along / length) / (size * size);
    } else {
      return dout / (size * size);
    }
  }
};

}  // namespace phi
