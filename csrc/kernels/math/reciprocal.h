// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct ReciprocalFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Reciprocal(x);
  }
};

struct ReciprocalGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return -dout * math::Conj(out * out);
  }
};

}  // namespace phi
