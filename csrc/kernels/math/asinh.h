// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/all_lanes.h"
#include "primitive/math.h"

namespace phi {

// That of a vector is infinite where x * x is; from 1e9 on it is log(2x) in every data type.
struct AsinhFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    const auto y = math::Floating(x);
    using F = decltype(math::Asinh(y));
    if constexpr (dtype::is_complex_v<F>) {
      return math::Asinh(y);
    } else {
      const F length = math::Abs(y);
      if (math::All(length <= F(1e9f))) return math::Asinh(y);
      const F large = math::Log(length) + F(0.6931471805599453);
      return math::Select(length > F(1e9f), math::Select(y > F(0), large, F(-large)), math::Asinh(y));
    }
  }
};

struct AsinhGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(math::Sqrt(x * x + V(1)));
  }
};

}  // namespace phi
