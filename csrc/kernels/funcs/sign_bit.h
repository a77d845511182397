// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

// |x| and -x change one bit: for half types nothing is converted to float.
namespace phi::funcs {

struct ClearSignFunctor {
  HOSTDEVICE uint16_t operator()(uint16_t word) const { return word & 0x7fff; }
};
struct FlipSignFunctor {
  HOSTDEVICE uint16_t operator()(uint16_t word) const { return word ^ 0x8000; }
};

struct NegativeFunctor {
  using OfWords = FlipSignFunctor;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return static_cast<V>(-x);
  }
};

}  // namespace phi::funcs
