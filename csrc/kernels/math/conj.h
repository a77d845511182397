// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct ConjFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Conj(x);
  }
};

}  // namespace phi
