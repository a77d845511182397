// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "primitive/elementwise.h"
#include "primitive/random.h"

namespace phi {

// The number of the type T next to `from` in the direction of `to`.
template <typename T>
T NextTowards(T from, T to) {
  if constexpr (std::is_same_v<T, primitive::ComputeType<T>>) {
    return std::nextafter(from, to);
  } else {
    const float start = from, end = to;
    if (start == end) return from;
    const bool up = start < end;
    T next = from;
    if (start == 0) {
      next.x = up ? 1 : 0x8001;  // the least number above or below 0
    } else {
      next.x += up == (start > 0) ? 1 : -1;
    }
    return next;
  }
}

// u is below 1, but the sum may be rounded to the end of the range.
template <typename Real>
struct UniformFunctor {
  static constexpr bool kSimd = true;
  Real start;
  Real range;
  Real least;
  Real most;
  template <typename V>
  HOSTDEVICE V operator()(V u) const {
    return math::Maximum(V(least), math::Minimum(V(most), V(start) + V(range) * u));
  }
};

// Real and imaginary part of a complex number are independent.
template <typename T, typename Context>
void UniformKernel(const Context& dev_ctx,
                   const IntArray&,
                   DataType,
                   const Scalar& min,
                   const Scalar& max,
                   int seed,
                   DenseTensor* out) {
  using Part = typename dtype::RealTypeTrait<T>::Type;
  using Real = primitive::ComputeType<Part>;
  Part* data = reinterpret_cast<Part*>(dev_ctx.template Alloc<T>(out));
  const int64_t n = out->numel() * (dtype::is_complex_v<T> ? 2 : 1);
  if (n == 0) return;
  const double low = min.to<double>(), high = max.to<double>();
  const Part first(static_cast<Real>(low)), end(static_cast<Real>(high));
  const Real start = first, last = NextTowards(end, first);
  const UniformFunctor<Real> functor{
      static_cast<Real>(low), static_cast<Real>(high - low), std::min(start, last), std::max(start, last)};
  const auto state = funcs::MakePhiloxState(dev_ctx, seed, funcs::PhiloxCounters<Real>(n));
  primitive::FillUniform<Real>(dev_ctx, state, n, functor, data);
}

}  // namespace phi
