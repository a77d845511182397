// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/sign_bit.h"

namespace phi {

struct SubtractFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return static_cast<V>(x - y);
  }
};

}  // namespace phi
