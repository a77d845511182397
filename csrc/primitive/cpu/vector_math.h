// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/cpu/vec/vec.h>

// Functions of float vectors in a few instructions, where torch calls a library for each vector: they keep pace with
// memory. Polynomials are minimax ones in the interval that is named; errors are the largest of all floats, in ulp.
// NaN gives NaN, and infinities their limits.
#if defined(CPU_CAPABILITY_AVX512) || defined(CPU_CAPABILITY_AVX2)
namespace phi::math {

using FloatVec = at::vec::Vectorized<float>;

namespace detail {

inline constexpr float kLog2E = 0x1.715476p0f;
// ln 2 in two parts: n times the first is exact for the n of an exponent
inline constexpr float kLn2High = 0x1.62ep-1f;
inline constexpr float kLn2Low = 0x1.0bfbe8p-15f;

// The polynomial of x with these coefficients, that of the highest power first.
template <typename... Coefficients>
FloatVec Horner(const FloatVec& x, float highest, Coefficients... others) {
  FloatVec sum(highest);
  ((sum = at::vec::fmadd(sum, x, FloatVec(others))), ...);
  return sum;
}

// v * 2^n, for |n| <= 160
inline FloatVec Scale(const FloatVec& v, const FloatVec& n) {
#if defined(CPU_CAPABILITY_AVX512)
  return _mm512_scalef_ps(v, n);
#else
  const __m256i exponent = _mm256_cvtps_epi32(n);
  const __m256i half = _mm256_srai_epi32(exponent, 1);  // the whole of it may be too large for one float
  const auto power = [](__m256i e) {
    return FloatVec(_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(e, _mm256_set1_epi32(127)), 23)));
  };
  return v * power(half) * power(_mm256_sub_epi32(exponent, half));
#endif
}

// exp(x) = 2^n * (1 + rest)
struct ExpParts {
  FloatVec n;
  FloatVec rest;

  explicit ExpParts(const FloatVec& x) : n((x * FloatVec(kLog2E)).round()) {
    const FloatVec high = at::vec::fmadd(n, FloatVec(-kLn2High), x);
    const FloatVec r = at::vec::fmadd(n, FloatVec(-kLn2Low), high);
    // |r| <= ln(2) / 2, relative error 2^-26
    const FloatVec p = Horner(r, 0x1.6d722cp-10f, 0x1.12268p-7f, 0x1.5554c8p-5f, 0x1.5554b2p-3f, 0.5f);
    rest = at::vec::fmadd(r * r, p, r);
  }
};

}  // namespace detail

// 1.1 ulp
inline FloatVec Exp(const FloatVec& x) {
  const detail::ExpParts e(at::vec::clamp(x, FloatVec(-105.0f), FloatVec(90.0f)));
  return detail::Scale(e.rest + FloatVec(1), e.n);
}

// 1.5 ulp. Of half the power of two, which is finite.
inline FloatVec Expm1(const FloatVec& x) {
  const detail::ExpParts e(at::vec::clamp(x, FloatVec(-105.0f), FloatVec(89.0f)));
  const FloatVec half = detail::Scale(FloatVec(0.5f), e.n);
  const FloatVec value = at::vec::fmadd(half, e.rest, half - FloatVec(0.5f)) * FloatVec(2);
  return value | (x & FloatVec(-0.0f));
}

// 2.7 ulp
inline FloatVec Exp2(const FloatVec& x) {
  const FloatVec clamped = at::vec::clamp(x, FloatVec(-150.0f), FloatVec(130.0f));
  const FloatVec n = clamped.round();
  // 2^r for |r| <= 1/2, relative error 2^-23.7
  const FloatVec p = detail::Horner(
      clamped - n, 0x1.5c08e6p-10f, 0x1.3d0c52p-7f, 0x1.c6b6e4p-5f, 0x1.ebf918p-3f, 0x1.62e428p-1f, 0x1.000002p0f);
  return detail::Scale(p, n);
}

// t / (t + 2) for t = exp(2 |x|) - 1; 2.5 ulp
inline FloatVec Tanh(const FloatVec& x) {
  const FloatVec sign = x & FloatVec(-0.0f);
  const FloatVec size = at::vec::clamp_max(x ^ sign, FloatVec(10.0f));
  const detail::ExpParts e(size + size);
  const FloatVec power = detail::Scale(FloatVec(1), e.n);
  const FloatVec t = at::vec::fmadd(power, e.rest, power - FloatVec(1));
  return (t / (t + FloatVec(2))) | sign;
}

namespace detail {

// exp(size) / 4, which is finite where sinh and cosh are, as power + rest
struct QuarterOfExp {
  FloatVec power;
  FloatVec rest;

  explicit QuarterOfExp(const FloatVec& size) {
    const ExpParts e(at::vec::clamp_max(size, FloatVec(89.5f)));
    power = Scale(FloatVec(0.25f), e.n);
    rest = power * e.rest;
  }
};

}  // namespace detail

// (t + t / (t + 1)) / 2 for t = exp(|x|) - 1; 2.3 ulp
inline FloatVec Sinh(const FloatVec& x) {
  const FloatVec sign = x & FloatVec(-0.0f);
  const detail::QuarterOfExp e(x ^ sign);
  const FloatVec quarter = e.rest + (e.power - FloatVec(0.25f));
  const FloatVec half = quarter + quarter / at::vec::fmadd(quarter, FloatVec(4), FloatVec(1));
  return (half + half) | sign;
}

// (t + 1 / t) / 2 for t = exp(|x|); 1.6 ulp
inline FloatVec Cosh(const FloatVec& x) {
  const detail::QuarterOfExp e(x.abs());
  const FloatVec quarter = e.power + e.rest;
  const FloatVec half = quarter + FloatVec(0.0625f) / quarter;
  return half + half;
}

#if defined(CPU_CAPABILITY_AVX512)
namespace detail {

// log(m * 2^e) for m from 3/4 to 3/2: e, and log(m) in two parts
struct LogParts {
  FloatVec e;
  FloatVec r;
  FloatVec low;

  explicit LogParts(const FloatVec& x) {
    const FloatVec m = _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
    r = m - FloatVec(1);
    // the exponent of x is that of m in [1, 2)
    const __mmask16 halved = _mm512_cmp_ps_mask(m, FloatVec(1), _CMP_LT_OQ);
    const FloatVec exponent = _mm512_getexp_ps(x);
    e = _mm512_mask_add_ps(exponent, halved, exponent, FloatVec(1));
    // (log(1 + r) - r) / r^2 for r from -1/4 to 1/2, relative error of the logarithm 2^-27
    const FloatVec p = Horner(r,
                              -0x1.717abap-5f,
                              0x1.acd6d4p-4f,
                              -0x1.0da16ap-3f,
                              0x1.28871ep-3f,
                              -0x1.54ee1cp-3f,
                              0x1.99694ep-3f,
                              -0x1.000044p-2f,
                              0x1.5555a4p-2f,
                              -0.5f);
    low = p * r * r;
  }
};

}  // namespace detail

// 1 ulp
inline FloatVec Log(const FloatVec& x) {
  const detail::LogParts log(x);
  const FloatVec low = at::vec::fmadd(log.e, FloatVec(detail::kLn2Low), log.low);
  return at::vec::fmadd(log.e, FloatVec(detail::kLn2High), log.r + low);
}

// 1.7 ulp; exact for powers of two
inline FloatVec Log2(const FloatVec& x) {
  const detail::LogParts log(x);
  return at::vec::fmadd(log.r + log.low, FloatVec(detail::kLog2E), log.e);
}

// 2.3 ulp
inline FloatVec Log10(const FloatVec& x) {
  const detail::LogParts log(x);
  const FloatVec of_mantissa = (log.r + log.low) * FloatVec(0x1.bcb7b2p-2f);
  return at::vec::fmadd(log.e, FloatVec(0x1.344136p-2f), of_mantissa);
}

// The logarithm of the rounded sum, times what the rounding took from x: 2.3 ulp
inline FloatVec Log1p(const FloatVec& x) {
  const FloatVec sum = x + FloatVec(1);
  const FloatVec added = sum - FloatVec(1);
  const FloatVec log = Log(sum);
  const FloatVec exact = FloatVec::blendv(log * (x / added), log, added == x);
  return FloatVec::blendv(exact, x, added == FloatVec(0));
}
#endif

}  // namespace phi::math
#endif
