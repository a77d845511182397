// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "primitive/convert.h"
#include "primitive/random.h"

namespace phi {

// -log(1 - u) / lam for uniform u, which is never infinite.
template <typename T, typename Context>
void ExponentialKernel(const Context& dev_ctx, const DenseTensor& x, float lam, DenseTensor* out) {
  using Real = primitive::ComputeType<T>;
  T* data = dev_ctx.template Alloc<T>(out);
  const int64_t n = x.numel();
  if (n == 0) return;
  const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<Real>(n));
  const auto mean = static_cast<Real>(1 / static_cast<double>(lam));
  primitive::ForEachUniform<Real>(dev_ctx, state, n, [=] HOSTDEVICE(int64_t i, Real u) {
    data[i] = primitive::Convert<T>(-std::log1p(-u) * mean);
  });
}

}  // namespace phi
