// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "primitive/elementwise.h"

namespace phi {

// NaN passes through.
template <typename T>
struct ClipFunctor {
  static constexpr bool kSimd = true;
  T min;
  T max;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Select(x < V(min), V(min), math::Select(x > V(max), V(max), x));
  }
};

// A bound in the type C; an integer is cut off at the limits of the type.
template <typename C>
C BoundOf(const Scalar& bound) {
  if constexpr (std::is_integral_v<C>) {
    constexpr C kLowest = std::numeric_limits<C>::lowest();
    constexpr C kMax = std::numeric_limits<C>::max();
    if (!IsFloatingType(bound.dtype())) return static_cast<C>(std::clamp<int64_t>(bound.to<int64_t>(), kLowest, kMax));
    const double value = bound.to<double>();
    return value <= kLowest ? kLowest : value >= static_cast<double>(kMax) ? kMax : static_cast<C>(value);
  } else {
    return bound.to<C>();
  }
}

template <typename T, typename Context>
void ClipKernel(const Context& dev_ctx, const DenseTensor& x, const Scalar& min, const Scalar& max, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  primitive::Map<T>(dev_ctx, out, ClipFunctor<C>{BoundOf<C>(min), BoundOf<C>(max)}, x);
}

// The bounds count as inside; NaN does not.
template <typename T>
struct ClipGradFunctor {
  static constexpr bool kSimd = true;
  T min;
  T max;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x >= V(min), math::Select(x <= V(max), dout, V(0)), V(0));
  }
};

}  // namespace phi
