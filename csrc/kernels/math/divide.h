// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct DivideFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x, V y) const {
    return math::Floating(x) / math::Floating(y);
  }
};

struct DivideXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V y, V dout) const {
    return dout / math::Conj(y);
  }
};

struct DivideYGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V y, V out, V dout) const {
    return -dout * math::Conj(out / y);
  }
};

}  // namespace phi
