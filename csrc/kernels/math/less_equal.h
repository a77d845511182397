// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct LessEqualFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x, V y) const {
    return math::LessEqual(x, y);
  }
};

}  // namespace phi
