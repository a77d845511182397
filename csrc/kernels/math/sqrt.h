// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct SqrtFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Sqrt(math::Floating(x));
  }
};

struct SqrtGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return dout * V(0.5) / math::Conj(out);
  }
};

}  // namespace phi
