// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct LessThanFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x, V y) const {
    return math::Less(x, y);
  }
};

}  // namespace phi
