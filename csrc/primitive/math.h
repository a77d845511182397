// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "common/data_type.h"
#include "common/hostdevice.h"
#ifndef PHI_DEVICE_CODE
#include "primitive/cpu/vector_functions.h"
#endif

// Functions that a functor may call on an element or, on the CPU, on a SIMD vector of elements.
namespace phi::math {

// For float, double and complex numbers. std:: is valid in device code for the first two.
#define PHI_MATH_FUNCTION(Name, name) \
  template <typename T>               \
  HOSTDEVICE inline T Name(T x) {     \
    using std::name;                  \
    return name(x);                   \
  }
PHI_MATH_FUNCTION(Acos, acos)
PHI_MATH_FUNCTION(Acosh, acosh)
PHI_MATH_FUNCTION(Asin, asin)
PHI_MATH_FUNCTION(Asinh, asinh)
PHI_MATH_FUNCTION(Atan, atan)
PHI_MATH_FUNCTION(Atanh, atanh)
PHI_MATH_FUNCTION(Ceil, ceil)
PHI_MATH_FUNCTION(Cos, cos)
PHI_MATH_FUNCTION(Cosh, cosh)
PHI_MATH_FUNCTION(Erf, erf)
PHI_MATH_FUNCTION(Exp, exp)
PHI_MATH_FUNCTION(Expm1, expm1)
PHI_MATH_FUNCTION(Floor, floor)
PHI_MATH_FUNCTION(Log, log)
PHI_MATH_FUNCTION(Log10, log10)
PHI_MATH_FUNCTION(Log1p, log1p)
PHI_MATH_FUNCTION(Log2, log2)
PHI_MATH_FUNCTION(Round, nearbyint)  // halves to even
PHI_MATH_FUNCTION(Sin, sin)
PHI_MATH_FUNCTION(Sinh, sinh)
PHI_MATH_FUNCTION(Sqrt, sqrt)
PHI_MATH_FUNCTION(Tan, tan)
PHI_MATH_FUNCTION(Tanh, tanh)
PHI_MATH_FUNCTION(Trunc, trunc)
#undef PHI_MATH_FUNCTION

// Of a complex number its length. The most negative integer stays as it is.
template <typename T>
HOSTDEVICE inline auto Abs(T x) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(x < T(0) ? T(0) - x : x);
  } else {
    using std::abs;
    return abs(x);
  }
}

// An integer or bool as float; others, and vectors, as they are.
template <typename T>
HOSTDEVICE inline auto Floating(T x) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<float>(x);
  } else {
    return x;
  }
}

template <typename T>
HOSTDEVICE inline T Conj(T x) {
  if constexpr (dtype::is_complex_v<T>) {
    return T(x.real(), -x.imag());
  } else {
    return x;
  }
}

// The real part of a complex number; others, and vectors, as they are.
template <typename T>
HOSTDEVICE inline auto Real(T x) {
  if constexpr (dtype::is_complex_v<T>) {
    return x.real();
  } else {
    return x;
  }
}

template <typename T>
HOSTDEVICE inline T Pow(T x, T exponent) {
  using std::pow;
  return pow(x, exponent);
}

// Of floating point. Fmod is what is left of x / y, with the sign of x.
#define PHI_MATH_BINARY_FUNCTION(Name, name) \
  template <typename T>                      \
  HOSTDEVICE inline T Name(T x, T y) {       \
    return std::name(x, y);                  \
  }
PHI_MATH_BINARY_FUNCTION(Atan2, atan2)
PHI_MATH_BINARY_FUNCTION(Copysign, copysign)
PHI_MATH_BINARY_FUNCTION(Fmod, fmod)
PHI_MATH_BINARY_FUNCTION(Nextafter, nextafter)
#undef PHI_MATH_BINARY_FUNCTION

// The type of an exponent for numbers of type C: one of an integer may be larger than the numbers.
template <typename C>
using Exponent = std::conditional_t<std::is_integral_v<C>, int64_t, C>;

// NaN if one of them is.
template <typename T>
HOSTDEVICE inline T Maximum(T x, T y) {
  return x > y || x != x ? x : y;
}
template <typename T>
HOSTDEVICE inline T Minimum(T x, T y) {
  return x < y || x != x ? x : y;
}

// x, or `low` where that is more; NaN passes through.
template <typename T>
HOSTDEVICE inline T AtLeast(T x, T low) {
  return x < low ? low : x;
}

// x from `low` to `high`, which wins if less; NaN passes. Complex numbers are compared by real parts, as in Paddle.
template <typename T>
HOSTDEVICE inline T Clamp(T x, T low, T high) {
  if constexpr (dtype::is_complex_v<T>) {
    return x.real() < low.real() ? low : x.real() >= high.real() ? high : x;
  } else {
    const T bounded = x < low ? low : x;
    return bounded > high ? high : bounded;
  }
}

// Complex numbers are ordered by their real parts, then by the imaginary ones.
template <typename T>
HOSTDEVICE inline bool Less(T x, T y) {
  if constexpr (dtype::is_complex_v<T>) {
    return x.real() < y.real() || (x.real() == y.real() && x.imag() < y.imag());
  } else {
    return x < y;
  }
}

template <typename T>
HOSTDEVICE inline bool LessEqual(T x, T y) {
  if constexpr (dtype::is_complex_v<T>) {
    return Less(x, y) || x == y;
  } else {
    return x <= y;
  }
}

HOSTDEVICE inline bool And(bool a, bool b) { return a && b; }
HOSTDEVICE inline bool Or(bool a, bool b) { return a || b; }
HOSTDEVICE inline bool Xor(bool a, bool b) { return a != b; }

// a where `condition`, else b
template <typename T>
HOSTDEVICE inline T Select(bool condition, T a, T b) {
  return condition ? a : b;
}

// Of the functions above, so for numbers and vectors.
template <typename T>
HOSTDEVICE inline T Sigmoid(T x) {
  return T(1) / (T(1) + Exp(-x));
}

// x^exponent, of which there is one for all elements. Integers, whose exponent is not negative, wrap around.
template <typename V, typename E>
HOSTDEVICE inline V Power(V x, E exponent) {
  if (exponent == E(2)) return static_cast<V>(x * x);
  if constexpr (std::is_integral_v<E>) {
    uint64_t result = 1;
    uint64_t power = static_cast<uint64_t>(x);
    for (; exponent > 0; exponent >>= 1, power *= power) {
      if (exponent & 1) result *= power;
    }
    return static_cast<V>(result);
  } else {
    if (exponent == E(1)) return x;
    if (exponent == E(3)) return x * x * x;
    if (exponent == E(0.5)) return Sqrt(x);
    if (exponent == E(-0.5)) return V(1) / Sqrt(x);
    if (exponent == E(-1)) return V(1) / x;
    return Pow(x, V(exponent));
  }
}

template <typename T>
HOSTDEVICE inline T Rsqrt(T x) {
#ifdef __CUDA_ARCH__
  return ::rsqrt(x);
#else
  return T(1) / Sqrt(x);
#endif
}

template <typename T>
HOSTDEVICE inline T Reciprocal(T x) {
  return T(1) / x;
}

// A distribution at x: the probability of what is below, and the density.
template <typename V>
struct Normal {
  V below;
  V density;
};
// The standard normal distribution.
template <typename V>
HOSTDEVICE inline Normal<V> NormalAt(V x) {
  return {V(0.5) * (V(1) + Erf(x * V(0.70710678118654752440))), V(0.39894228040143267794) * Exp(V(-0.5) * x * x)};
}
#ifndef PHI_DEVICE_CODE
// Abramowitz and Stegun, 7.1.26: an absolute error of 1e-7.
inline Normal<at::vec::Vectorized<float>> NormalAt(const at::vec::Vectorized<float>& x) {
  using V = at::vec::Vectorized<float>;
  const V bell = Exp2(V(-0.72134752f) * x * x);  // exp(-x^2 / 2)
  const V t = V(1) / at::vec::fmadd(V(0.23164189f), x.abs(), V(1));
  V sum = at::vec::fmadd(V(0.5307027145f), t, V(-0.7265760135f));
  sum = at::vec::fmadd(sum, t, V(0.7107068705f));
  sum = at::vec::fmadd(sum, t, V(-0.142248368f));
  sum = at::vec::fmadd(sum, t, V(0.127414796f));
  const V above = sum * t * bell;
  return {V::blendv(V(1) - above, above, x < V(0)), V(0.39894228f) * bell};
}

// 4 ulp: below 1 a polynomial of x^2 times x
inline at::vec::Vectorized<float> Erf(const at::vec::Vectorized<float>& x) {
  using V = at::vec::Vectorized<float>;
  const V square = x * x;
  V sum = at::vec::fmadd(V(0x1.4a9dacp-14f), square, V(-0x1.a46b40p-11f));
  sum = at::vec::fmadd(sum, square, V(0x1.541636p-8f));
  sum = at::vec::fmadd(sum, square, V(-0x1.b7fb38p-6f));
  sum = at::vec::fmadd(sum, square, V(0x1.ce2d18p-4f));
  sum = at::vec::fmadd(sum, square, V(-0x1.81273ep-2f));
  sum = at::vec::fmadd(sum, square, V(0x1.20dd74p+0f));
  const V far = V(2) * NormalAt(x * V(1.41421356f)).below - V(1);
  return V::blendv(far, sum * x, x.abs() < V(1));
}
#endif

}  // namespace phi::math
