// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/cpu/vec/functional.h>
#include <ATen/cpu/vec/vec.h>

#include <array>

#include "common/data_type.h"

// A vector of half types as two vectors of float, and back.
namespace phi::primitive::detail {

using FloatPair = std::array<at::vec::Vectorized<float>, 2>;

template <typename T>
inline FloatPair FromHalf(const at::vec::Vectorized<T>& v) {
  const auto [lo, hi] = at::vec::convert_to_float<T>(v);
  return {lo, hi};
}

template <typename T>
inline at::vec::Vectorized<T> ToHalf(const at::vec::Vectorized<float>& lo, const at::vec::Vectorized<float>& hi) {
  return at::vec::convert_from_float<T>(lo, hi);
}

#ifdef CPU_CAPABILITY_AVX512
// A bfloat16 is the upper half of a float: one instruction puts the words of a vector there, or takes them from there,
// where torch widens, shifts and packs.
template <>
inline FloatPair FromHalf(const at::vec::Vectorized<dtype::bfloat16>& v) {
  alignas(64) static constexpr auto kPlaces = [] {
    std::array<int16_t, 64> places{};
    for (int i = 0; i < 32; ++i) places[2 * i + 1] = static_cast<int16_t>(i);
    return places;
  }();
  constexpr __mmask32 kUpper = 0xaaaaaaaa;
  const __m512i words = v;
  const auto half = [&](int i) {
    return _mm512_castsi512_ps(_mm512_maskz_permutexvar_epi16(kUpper, _mm512_load_si512(&kPlaces[i]), words));
  };
  return {half(0), half(32)};
}

// Rounded to the nearest, of two to the even one.
template <>
inline at::vec::Vectorized<dtype::bfloat16> ToHalf(const at::vec::Vectorized<float>& lo,
                                                   const at::vec::Vectorized<float>& hi) {
  alignas(64) static constexpr auto kPlaces = [] {
    std::array<int16_t, 32> places{};
    for (int i = 0; i < 32; ++i) places[i] = static_cast<int16_t>(2 * i + 1);
    return places;
  }();
  const auto round = [](const __m512& v) {
    const __m512i bits = _mm512_castps_si512(v);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i rounded = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
    // a NaN, which could overflow, stays one
    return _mm512_mask_mov_epi32(rounded, _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q), _mm512_set1_epi32(0x7fc00000));
  };
  return _mm512_permutex2var_epi16(round(lo), _mm512_load_si512(kPlaces.data()), round(hi));
}
#endif

}  // namespace phi::primitive::detail
