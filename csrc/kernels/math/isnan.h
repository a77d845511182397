// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct IsnanFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return x != x;
  }
};

}  // namespace phi
