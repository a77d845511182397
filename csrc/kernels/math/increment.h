// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

template <typename C>
struct IncrementFunctor {
  C value;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x + V(value);
  }
};

template <typename T, typename Context>
void IncrementKernel(const Context& dev_ctx, const DenseTensor& x, float value, DenseTensor* out) {
  using Functor = IncrementFunctor<primitive::ComputeType<T>>;
  primitive::Map<T>(dev_ctx, out, primitive::MakeFunctor<primitive::ComputeType<T>, Functor>(value), x);
}

}  // namespace phi
