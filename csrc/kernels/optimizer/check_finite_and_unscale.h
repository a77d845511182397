// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"
#include "primitive/for_each.h"
#include "primitive/memset.h"
#include "primitive/reduce.h"

namespace phi {

// 0, or NaN where x is not finite.
struct TimesZero {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * V(0);
  }
};

template <typename C>
struct UnscaleStep {
  C factor;
  template <typename V>
  HOSTDEVICE void operator()(V& x) const {
    x = x * V(factor);
  }
};

template <typename C>
struct UnscaleFunctor {
  funcs::DeviceNumber scale;
  HOSTDEVICE UnscaleStep<C> Prepare() const { return {static_cast<C>(1 / scale())}; }
};

// x / scale, and whether an element of x is infinite or NaN.
template <typename T, typename Context>
void CheckFiniteAndUnscaleKernel(const Context& dev_ctx,
                                 const std::vector<const DenseTensor*>& x,
                                 const DenseTensor& scale,
                                 std::vector<DenseTensor*> out,
                                 DenseTensor* found_infinite) {
  using C = primitive::ComputeType<T>;
  bool* found = dev_ctx.template Alloc<bool>(found_infinite);
  primitive::SetZero(dev_ctx, found_infinite);
  for (size_t i = 0; i < x.size(); ++i) {
    DenseTensor zero;
    zero.Resize({});
    primitive::Reduce<T, C, primitive::SumOp>(dev_ctx, *x[i], primitive::AxisSet(), &zero, TimesZero());
    const C* sum = zero.data<C>();
    primitive::ForEach(dev_ctx, 1, [=] HOSTDEVICE(int64_t) { *found = *found || *sum != C(0); });
    const UnscaleFunctor<C> functor{funcs::DeviceNumber(scale)};
    funcs::UpdateElements<C>(dev_ctx, x[i]->numel(), functor, funcs::MakeStream<T>(dev_ctx, *x[i], out[i]));
  }
}

}  // namespace phi
