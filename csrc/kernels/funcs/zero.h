// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"

namespace phi::funcs {

struct ZeroFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V) const {
    return V(0);
  }
};

}  // namespace phi::funcs
