// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/zero.h"
#include "primitive/math.h"

namespace phi {

struct CopysignOfWordsFunctor {
  HOSTDEVICE uint16_t operator()(uint16_t x, uint16_t y) const { return (x & 0x7fff) | (y & 0x8000); }
};

struct CopysignFunctor {
  using OfWords = CopysignOfWordsFunctor;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Copysign(x, y);
  }
};

struct CopysignXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    const V sign = math::Select(x < V(0), V(-1), math::Select(x > V(0), V(1), V(0)));
    return dout * sign * math::Copysign(V(1), y);
  }
};

}  // namespace phi
