// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"
#include "primitive/all_lanes.h"
#include "primitive/memset.h"

namespace phi {

template <typename C>
struct UnscaleStep {
  C factor;
  bool* found;  // an element that is not finite
  template <typename V>
  HOSTDEVICE void operator()(V& x) const {
    if (!math::All(x * V(C(0)) == V(C(0)))) *found = true;
    x = x * V(factor);
  }
};

template <typename C>
struct UnscaleFunctor {
  funcs::DeviceNumber scale;
  bool* found;
  HOSTDEVICE UnscaleStep<C> Prepare() const { return {static_cast<C>(1 / scale()), found}; }
};

// x / scale, and whether an element of x is infinite or NaN.
template <typename T, typename Context>
void CheckFiniteAndUnscaleKernel(const Context& dev_ctx,
                                 const std::vector<const DenseTensor*>& x,
                                 const DenseTensor& scale,
                                 std::vector<DenseTensor*> out,
                                 DenseTensor* found_infinite) {
  using C = primitive::ComputeType<T>;
  const UnscaleFunctor<C> functor{funcs::DeviceNumber(scale), dev_ctx.template Alloc<bool>(found_infinite)};
  primitive::SetZero(dev_ctx, found_infinite);
  for (size_t i = 0; i < x.size(); ++i) {
    funcs::UpdateElements<C>(dev_ctx, x[i]->numel(), functor, funcs::MakeStream<T>(dev_ctx, *x[i], out[i]));
  }
}

}  // namespace phi
