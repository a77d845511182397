// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct GreaterEqualFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x, V y) const {
    return math::LessEqual(y, x);
  }
};

}  // namespace phi
