// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct NextafterFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Nextafter(x, y);
  }
};

}  // namespace phi
