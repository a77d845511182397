// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "primitive/distribution.h"
#include "primitive/elementwise.h"
#include "primitive/impl/types.h"
#include "primitive/random.h"

namespace phi::primitive {

// The number of the type T next to `from` in the direction of `to`.
template <typename T>
T NextTowards(T from, T to) {
  if constexpr (std::is_same_v<T, ComputeType<T>>) {
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
  Real start;
  Real range;
  Real least;
  Real most;
  template <typename V>
  HOSTDEVICE V operator()(V u) const {
    return math::Maximum(V(least), math::Minimum(V(most), V(start) + V(range) * u));
  }
};

template <typename Real>
struct NormalFunctor {
  Real mean;
  Real std;
  template <typename V>
  HOSTDEVICE V operator()(V normal) const {
    return V(mean) + V(std) * normal;
  }
};

template <typename T, typename Context>
void FillWithUniform(
    const DeviceContext& dev_ctx, const PhiloxState& state, double low, double high, int64_t n, void* out) {
  using Real = ComputeType<T>;
  const T first(static_cast<Real>(low)), end(static_cast<Real>(high));
  const Real start = first, last = NextTowards(end, first);
  const UniformFunctor<Real> functor{
      static_cast<Real>(low), static_cast<Real>(high - low), std::min(start, last), std::max(start, last)};
  FillUniform<Real>(static_cast<const Context&>(dev_ctx), state, n, functor, static_cast<T*>(out));
}

template <typename T, typename Context>
void FillWithNormal(
    const DeviceContext& dev_ctx, const PhiloxState& state, double mean, double std, int64_t n, void* out) {
  using Real = ComputeType<T>;
  const NormalFunctor<Real> functor{static_cast<Real>(mean), static_cast<Real>(std)};
  FillNormal<Real>(static_cast<const Context&>(dev_ctx), state, n, functor, static_cast<T*>(out));
}

template <typename Context>
bool RegisterDistributions(Backend backend) {
  const auto uniform = [](auto type) { return &FillWithUniform<typename decltype(type)::Type, Context>; };
  const auto normal = [](auto type) { return &FillWithNormal<typename decltype(type)::Type, Context>; };
  return RegisterForTypes<UniformNumbers>(backend, uniform, FloatingTypes()) &&
         RegisterForTypes<NormalNumbers>(backend, normal, FloatingTypes());
}

}  // namespace phi::primitive
