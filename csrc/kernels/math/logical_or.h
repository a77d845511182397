// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct LogicalOrFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x, V y) const {
    return math::Or(x != V(0), y != V(0));
  }
};

}  // namespace phi
