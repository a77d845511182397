// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct LogFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Log(math::Floating(x));
  }
};

struct LogGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(x);
  }
};

}  // namespace phi
