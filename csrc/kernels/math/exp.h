// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct ExpFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Exp(math::Floating(x));
  }
};

struct ExpGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return dout * math::Conj(out);
  }
};

}  // namespace phi
