// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"
#include "primitive/random.h"

namespace phi {

template <typename Real>
struct GaussianFunctor {
  static constexpr bool kSimd = true;
  Real mean;
  Real std;
  template <typename V>
  HOSTDEVICE V operator()(V normal) const {
    return V(mean) + V(std) * normal;
  }
};

// A complex number takes two normal numbers, each with half of the variance and the same mean.
template <typename T, typename Context>
void GaussianKernel(
    const Context& dev_ctx, const IntArray&, float mean, float std, int seed, DataType, DenseTensor* out) {
  using Part = typename dtype::RealTypeTrait<T>::Type;
  using Real = primitive::ComputeType<Part>;
  constexpr bool is_complex = dtype::is_complex_v<T>;
  Part* data = reinterpret_cast<Part*>(dev_ctx.template Alloc<T>(out));
  const int64_t n = out->numel() * (is_complex ? 2 : 1);
  if (n == 0) return;
  const Real deviation = is_complex ? static_cast<Real>(std * std::sqrt(0.5)) : static_cast<Real>(std);
  const auto state = funcs::MakePhiloxState(dev_ctx, seed, funcs::PhiloxCounters<Real>(n));
  primitive::FillNormal<Real>(dev_ctx, state, n, GaussianFunctor<Real>{mean, deviation}, data);
}

}  // namespace phi
