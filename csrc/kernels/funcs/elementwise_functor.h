// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/data_type.h"
#include "common/hostdevice.h"

namespace phi::funcs {

struct AddFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return static_cast<V>(x + y);
  }
};

struct MultiplyFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    if constexpr (std::is_same_v<V, bool>) {
      return x && y;
    } else {
      return static_cast<V>(x * y);
    }
  }
};

// x times the conjugate of y: the gradient of a product.
struct MultiplyConjFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    if constexpr (dtype::is_complex_v<V>) {
      return x * V(y.real(), -y.imag());
    } else {
      return static_cast<V>(x * y);
    }
  }
};

}  // namespace phi::funcs
