// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

// Integers by squaring; what does not fit wraps around.
template <typename C>
struct PowFunctor {
  static constexpr bool kSimd = true;
  using Exponent = std::conditional_t<std::is_integral_v<C>, int64_t, C>;
  Exponent exponent;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if (exponent == Exponent(2)) return static_cast<V>(x * x);
    if constexpr (std::is_integral_v<C>) {
      uint64_t result = 1;
      uint64_t power = static_cast<uint64_t>(x);
      for (int64_t n = exponent; n > 0; n >>= 1, power *= power) {
        if (n & 1) result *= power;
      }
      return static_cast<V>(result);
    } else {
      if (exponent == C(3)) return x * x * x;
      if (exponent == C(0.5)) return math::Sqrt(x);
      if (exponent == C(-0.5)) return V(1) / math::Sqrt(x);
      if (exponent == C(-1)) return V(1) / x;
      return math::Pow(x, V(exponent));
    }
  }
};

template <typename T, typename Context>
void PowKernel(const Context& dev_ctx, const DenseTensor& x, const Scalar& y, DenseTensor* out) {
  using Functor = PowFunctor<primitive::ComputeType<T>>;
  const auto exponent = y.to<typename Functor::Exponent>();
  if constexpr (std::is_integral_v<T>) {
    PADDLE_ENFORCE(
        exponent >= 0,
        errors::InvalidArgument("argument 'y': expected at least 0 for integers, got %d; cast 'x' first", exponent));
  }
  primitive::Map<T>(dev_ctx, out, Functor{exponent}, x);
}

// y * x^(y - 1)
template <typename C>
struct PowGradFunctor {
  static constexpr bool kSimd = true;
  C exponent;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    if (exponent == C(0)) return V(0);
    const V power = exponent == C(2) ? x : exponent == C(3) ? V(x * x) : math::Pow(x, V(exponent - C(1)));
    return dout * math::Conj(V(exponent) * power);
  }
};

}  // namespace phi
