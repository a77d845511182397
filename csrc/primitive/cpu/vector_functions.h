// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "primitive/cpu/vector_math.h"

// The functions of primitive/math.h on SIMD vectors, where vector_math.h has none of its own.
namespace phi::math {

#define PHI_MATH_VECTOR_FUNCTION(Name, name)                            \
  template <typename T>                                                 \
  inline at::vec::Vectorized<T> Name(const at::vec::Vectorized<T>& x) { \
    return x.name();                                                    \
  }
PHI_MATH_VECTOR_FUNCTION(Abs, abs)
PHI_MATH_VECTOR_FUNCTION(Acos, acos)
PHI_MATH_VECTOR_FUNCTION(Asin, asin)
PHI_MATH_VECTOR_FUNCTION(Atan, atan)
PHI_MATH_VECTOR_FUNCTION(Atanh, atanh)
PHI_MATH_VECTOR_FUNCTION(Ceil, ceil)
PHI_MATH_VECTOR_FUNCTION(Cos, cos)
PHI_MATH_VECTOR_FUNCTION(Exp, exp)
PHI_MATH_VECTOR_FUNCTION(Exp2, exp2)
PHI_MATH_VECTOR_FUNCTION(Expm1, expm1)
PHI_MATH_VECTOR_FUNCTION(Floor, floor)
PHI_MATH_VECTOR_FUNCTION(Log, log)
PHI_MATH_VECTOR_FUNCTION(Log10, log10)
PHI_MATH_VECTOR_FUNCTION(Log1p, log1p)
PHI_MATH_VECTOR_FUNCTION(Log2, log2)
PHI_MATH_VECTOR_FUNCTION(Round, round)
PHI_MATH_VECTOR_FUNCTION(Sin, sin)
PHI_MATH_VECTOR_FUNCTION(Sqrt, sqrt)
PHI_MATH_VECTOR_FUNCTION(Tan, tan)
PHI_MATH_VECTOR_FUNCTION(Tanh, tanh)
PHI_MATH_VECTOR_FUNCTION(Trunc, trunc)
#undef PHI_MATH_VECTOR_FUNCTION

namespace detail {

// What a function is that is log(2x) for large x, in every data type from 1e9 on: torch's own square x, which
// overflows.
template <typename T>
inline at::vec::Vectorized<T> OrLogOfTwice(const at::vec::Vectorized<T>& found, const at::vec::Vectorized<T>& x) {
  using V = at::vec::Vectorized<T>;
  const V border(static_cast<T>(1e9));
  if ((x <= border).zero_mask() == 0) return found;
  return V::blendv(found, Log(x) + V(static_cast<T>(0.6931471805599453)), x > border);
}

// What a function is that is exp(x) / 2 for large x: torch's own ends where exp(x) does.
template <typename T>
inline at::vec::Vectorized<T> OrHalfOfExp(const at::vec::Vectorized<T>& found, const at::vec::Vectorized<T>& x) {
  using V = at::vec::Vectorized<T>;
  const V border(static_cast<T>(80));
  if ((x <= border).zero_mask() == 0) return found;
  const V half(static_cast<T>(0.5));
  const V root = Exp(x * half);
  return V::blendv(found, root * half * root, x > border);
}

}  // namespace detail

template <typename T>
inline at::vec::Vectorized<T> Cosh(const at::vec::Vectorized<T>& x) {
  return detail::OrHalfOfExp(x.cosh(), x.abs());
}
template <typename T>
inline at::vec::Vectorized<T> Sinh(const at::vec::Vectorized<T>& x) {
  return detail::OrHalfOfExp(x.sinh().abs(), x.abs()).copysign(x);
}

template <typename T>
inline at::vec::Vectorized<T> Acosh(const at::vec::Vectorized<T>& x) {
  return detail::OrLogOfTwice(x.acosh(), x);
}
template <typename T>
inline at::vec::Vectorized<T> Asinh(const at::vec::Vectorized<T>& x) {
  return detail::OrLogOfTwice(x.asinh().abs(), x.abs()).copysign(x);
}

inline at::vec::Vectorized<double> Erf(const at::vec::Vectorized<double>& x) { return x.erf(); }

template <typename T>
inline at::vec::Vectorized<T> Pow(const at::vec::Vectorized<T>& x, const at::vec::Vectorized<T>& exponent) {
  return x.pow(exponent);
}
#define PHI_MATH_BINARY_VECTOR_FUNCTION(Name, name)                                                      \
  template <typename T>                                                                                  \
  inline at::vec::Vectorized<T> Name(const at::vec::Vectorized<T>& x, const at::vec::Vectorized<T>& y) { \
    return x.name(y);                                                                                    \
  }
PHI_MATH_BINARY_VECTOR_FUNCTION(Atan2, atan2)
PHI_MATH_BINARY_VECTOR_FUNCTION(Copysign, copysign)
PHI_MATH_BINARY_VECTOR_FUNCTION(Fmod, fmod)
PHI_MATH_BINARY_VECTOR_FUNCTION(Nextafter, nextafter)
#undef PHI_MATH_BINARY_VECTOR_FUNCTION
template <typename T>
inline at::vec::Vectorized<T> Maximum(const at::vec::Vectorized<T>& x, const at::vec::Vectorized<T>& y) {
  return at::vec::maximum(x, y);
}
template <typename T>
inline at::vec::Vectorized<T> Minimum(const at::vec::Vectorized<T>& x, const at::vec::Vectorized<T>& y) {
  return at::vec::minimum(x, y);
}

template <typename T>
inline at::vec::Vectorized<T> AtLeast(const at::vec::Vectorized<T>& x, const at::vec::Vectorized<T>& low) {
  return at::vec::clamp_min(x, low);
}
template <typename T>
inline at::vec::Vectorized<T> Clamp(const at::vec::Vectorized<T>& x,
                                    const at::vec::Vectorized<T>& low,
                                    const at::vec::Vectorized<T>& high) {
  return at::vec::clamp(x, low, high);
}

// Comparisons of vectors give masks.
template <typename T>
inline at::vec::Vectorized<T> Less(const at::vec::Vectorized<T>& x, const at::vec::Vectorized<T>& y) {
  return x < y;
}
template <typename T>
inline at::vec::Vectorized<T> LessEqual(const at::vec::Vectorized<T>& x, const at::vec::Vectorized<T>& y) {
  return x <= y;
}
template <typename T>
inline at::vec::Vectorized<T> And(const at::vec::Vectorized<T>& a, const at::vec::Vectorized<T>& b) {
  return a & b;
}
template <typename T>
inline at::vec::Vectorized<T> Or(const at::vec::Vectorized<T>& a, const at::vec::Vectorized<T>& b) {
  return a | b;
}
template <typename T>
inline at::vec::Vectorized<T> Xor(const at::vec::Vectorized<T>& a, const at::vec::Vectorized<T>& b) {
  return a ^ b;
}
template <typename T>
inline at::vec::Vectorized<T> Select(const at::vec::Vectorized<T>& mask,
                                     const at::vec::Vectorized<T>& a,
                                     const at::vec::Vectorized<T>& b) {
#if defined(CPU_CAPABILITY_AVX512)
  // bit by bit: for blendv the mask would have to become one of lanes again
  __m512i bits[3];
  std::memcpy(bits, static_cast<const void*>(&mask), sizeof(bits[0]));
  std::memcpy(bits + 1, static_cast<const void*>(&a), sizeof(bits[1]));
  std::memcpy(bits + 2, static_cast<const void*>(&b), sizeof(bits[2]));
  bits[0] = _mm512_ternarylogic_epi64(bits[0], bits[1], bits[2], 0xCA);
  at::vec::Vectorized<T> selected;
  std::memcpy(static_cast<void*>(&selected), bits, sizeof(selected));
  return selected;
#else
  return at::vec::Vectorized<T>::blendv(b, a, mask);
#endif
}

}  // namespace phi::math
