// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct ReciprocalFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Reciprocal(math::Floating(x));
  }
};

struct ReciprocalGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return -dout * math::Conj(out * out);
  }
};

}  // namespace phi
