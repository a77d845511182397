// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/convert.h"
#include "primitive/random.h"

namespace phi {

template <typename T, typename Real>
struct GaussianFunctor {
  Real mean;
  Real std;
  T* out;
  HOSTDEVICE void operator()(int64_t i, Real normal) const { out[i] = primitive::Convert<T>(mean + std * normal); }
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
  primitive::ForEachNormal<Real>(dev_ctx, state, n, GaussianFunctor<Part, Real>{mean, deviation, data});
}

}  // namespace phi
