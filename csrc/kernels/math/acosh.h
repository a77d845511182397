// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct AcoshFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Acosh(math::Floating(x));
  }
};

struct AcoshGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(math::Sqrt(x - V(1)) * math::Sqrt(x + V(1)));
  }
};

}  // namespace phi
