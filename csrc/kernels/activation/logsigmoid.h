// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct LogsigmoidFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Minimum(x, V(0)) - math::Log1p(math::Exp(-math::Abs(x)));
  }
};

struct LogsigmoidGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * math::Sigmoid(-x);
  }
};

}  // namespace phi
