// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "primitive/elementwise.h"

namespace phi {

// x * scale + bias, or (x + bias) * scale; of bools, with && and ||
template <typename C>
struct ScaleFunctor {
  C scale;
  C bias;
  bool bias_after_scale;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if constexpr (std::is_integral_v<V> && !std::is_same_v<V, bool>) {  // which wrap around
      using Bits = std::common_type_t<std::make_unsigned_t<V>, unsigned>;
      const auto number = static_cast<Bits>(x), factor = static_cast<Bits>(V(scale)), term = static_cast<Bits>(V(bias));
      return static_cast<V>(bias_after_scale ? number * factor + term : (number + term) * factor);
    } else {
      return static_cast<V>(bias_after_scale ? x * V(scale) + V(bias) : (x + V(bias)) * V(scale));
    }
  }
};

}  // namespace phi
