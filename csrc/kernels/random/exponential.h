// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/convert.h"
#include "primitive/math.h"
#include "primitive/random.h"

namespace phi {

// -log(1 - u) / lam for uniform u, which is never infinite.
template <typename Real>
struct ExponentialOfUniform {
  Real mean;
  template <typename V>
  HOSTDEVICE V operator()(V u) const {
    return -math::Log1p(-u) * V(mean);
  }
};

template <typename T, typename Context>
void ExponentialKernel(const Context& dev_ctx, const DenseTensor& x, float lam, DenseTensor* out) {
  using Real = primitive::ComputeType<T>;
  T* data = dev_ctx.template Alloc<T>(out);
  const int64_t n = x.numel();
  if (n == 0) return;
  const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<Real>(n));
  const ExponentialOfUniform<Real> functor{static_cast<Real>(1 / static_cast<double>(lam))};
  primitive::FillUniform<Real>(dev_ctx, state, n, functor, data);
}

}  // namespace phi
