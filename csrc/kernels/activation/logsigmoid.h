// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct LogsigmoidFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if constexpr (dtype::is_complex_v<V>) {
      const V most = math::Minimum(x.real(), V(0).real());  // keeps the exponents from what is too large
      return most - math::Log(math::Exp(most) + math::Exp(most - x));
    } else {
      return math::Minimum(x, V(0)) - math::Log1p(math::Exp(-math::Abs(x)));
    }
  }
};

struct LogsigmoidGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * math::Conj(math::Sigmoid(-x));
  }
};

}  // namespace phi
