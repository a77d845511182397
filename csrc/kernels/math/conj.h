// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

struct ConjFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Conj(x);
  }
};

// Real numbers are copied.
template <typename T, typename Context>
void ConjKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  if constexpr (dtype::is_complex_v<T>) {
    primitive::ElementwiseUnary<T>(dev_ctx, x, out, ConjFunctor());
  } else {
    primitive::Copy(dev_ctx, x, out);
  }
}

}  // namespace phi
