// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/all_lanes.h"
#include "primitive/math.h"

namespace phi {

// That of a vector is infinite where x * x is; from 1e9 on it is log(2x) in every data type.
struct AcoshFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    const auto y = math::Floating(x);
    using F = decltype(math::Acosh(y));
    if constexpr (dtype::is_complex_v<F>) {
      return math::Acosh(y);
    } else {
      const auto is_large = y > F(1e9f);
      return math::All(y <= F(1e9f)) ? math::Acosh(y)
                                     : math::Select(is_large, F(math::Log(y) + F(0.6931471805599453)), math::Acosh(y));
    }
  }
};

struct AcoshGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(math::Sqrt(x - V(1)) * math::Sqrt(x + V(1)));
  }
};

}  // namespace phi
