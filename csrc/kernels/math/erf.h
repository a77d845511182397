// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct ErfFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Erf(math::Floating(x));
  }
};

struct ErfGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * V(1.12837916709551257390) * math::Exp(-x * x);
  }
};

}  // namespace phi
