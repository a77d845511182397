// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

// x to a power that is known when this is compiled, in halves: 4 is the square, -1 one over the root.
template <int halves>
struct FixedPowFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if constexpr (halves == 1) {
      return math::Sqrt(x);
    } else if constexpr (halves == -1) {
      return V(1) / math::Sqrt(x);
    } else if constexpr (halves == -2) {
      return V(1) / x;
    } else if constexpr (halves == 4) {
      return static_cast<V>(x * x);
    } else {
      static_assert(halves == 6);
      return static_cast<V>(x * x * x);
    }
  }
};

template <typename C>
struct PowFunctor {
  static constexpr bool kSimd = true;
  C exponent;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Pow(x, V(exponent));
  }
};

// By squaring; what does not fit wraps around.
template <typename C>
struct IntegerPowFunctor {
  int64_t exponent;
  HOSTDEVICE C operator()(C x) const {
    uint64_t result = 1;
    uint64_t power = static_cast<uint64_t>(x);
    for (int64_t n = exponent; n > 0; n >>= 1) {
      if (n & 1) result *= power;
      power *= power;
    }
    return static_cast<C>(result);
  }
};

template <typename T, typename Context>
void PowKernel(const Context& dev_ctx, const DenseTensor& x, const Scalar& y, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  const auto run = [&](const auto& functor) { primitive::Map<T>(dev_ctx, out, functor, x); };
  if constexpr (std::is_integral_v<T>) {
    const int64_t exponent = y.to<int64_t>();
    PADDLE_ENFORCE(
        exponent >= 0,
        errors::InvalidArgument("argument 'y': expected at least 0 for integers, got %d; cast 'x' first", exponent));
    return exponent == 2 ? run(FixedPowFunctor<4>()) : run(IntegerPowFunctor<C>{exponent});
  } else {
    const double exponent = y.to<double>();
    if (exponent == 2) return run(FixedPowFunctor<4>());
    if (exponent == 3) return run(FixedPowFunctor<6>());
    if (exponent == 0.5) return run(FixedPowFunctor<1>());
    if (exponent == -0.5) return run(FixedPowFunctor<-1>());
    if (exponent == -1) return run(FixedPowFunctor<-2>());
    run(PowFunctor<C>{static_cast<C>(exponent)});
  }
}

// y * x^(y - 1)
template <typename C>
struct PowGradFunctor {
  static constexpr bool kSimd = true;
  C exponent;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * math::Conj(V(exponent) * math::Pow(x, V(exponent - C(1))));
  }
};

template <typename C>
struct FixedPowGradFunctor {
  static constexpr bool kSimd = true;
  C exponent;
  bool cube;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * math::Conj(V(exponent) * (cube ? x * x : x));
  }
};

struct ZeroGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V) const {
    return V(0);
  }
};

template <typename T, typename Context>
void PowGradKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, const Scalar& y, DenseTensor* x_grad) {
  using C = primitive::ComputeType<T>;
  const double y_value = y.to<double>();
  const C exponent = static_cast<C>(y_value);
  if (y_value == 0) return primitive::Map<T>(dev_ctx, x_grad, ZeroGradFunctor(), out_grad);
  if (y_value == 2 || y_value == 3) {
    const FixedPowGradFunctor<C> functor{exponent, y_value == 3};
    return primitive::Map<T>(dev_ctx, x_grad, functor, x, out_grad);
  }
  primitive::Map<T>(dev_ctx, x_grad, PowGradFunctor<C>{exponent}, x, out_grad);
}

}  // namespace phi
