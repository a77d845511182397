// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "primitive/convert.h"
#include "primitive/cpu/half_vector.h"
#include "primitive/cpu/stream.h"

namespace phi::primitive::detail {

// A vector that was loaded. AVX-512 loads under a mask as well, which waits for what the mask is made of; the compiler
// is kept from it, so that all loads of an element start at once.
#ifdef CPU_CAPABILITY_AVX512
inline at::vec::Vectorized<float> Loaded(__m512 values) {
  asm("" : "+v"(values));
  return values;
}
inline at::vec::Vectorized<double> Loaded(__m512d values) {
  asm("" : "+v"(values));
  return values;
}
#else
template <typename Vec>
Vec Loaded(const Vec& values) {
  return values;
}
#endif

// Two SIMD vectors of float or double: what one vector of a half type converts to.
template <typename C>
struct SimdPair {
  using Vec = at::vec::Vectorized<C>;
  static constexpr int64_t kSize = 2 * Vec::size();
  using Elements = std::array<C, kSize>;

  Vec lo;
  Vec hi;

  template <typename T>
  static SimdPair Load(const T* p) {
    if constexpr (std::is_same_v<T, C>) {
      return {Loaded(Vec::loadu(p)), Loaded(Vec::loadu(p + Vec::size()))};
    } else {
      const FloatPair pair = FromHalf(at::vec::Vectorized<T>::loadu(p));
      return {pair[0], pair[1]};
    }
  }
  // The first n < kSize elements; the others are zero.
  template <typename T>
  static SimdPair Load(const T* p, int64_t n) {
    if constexpr (std::is_same_v<T, C>) {
      const int64_t rest = n - Vec::size();
      return {Vec::loadu(p, rest < 0 ? n : Vec::size()), rest > 0 ? Vec::loadu(p + Vec::size(), rest) : Vec(C(0))};
    } else {
      const FloatPair pair = FromHalf(at::vec::Vectorized<T>::loadu(p, n));
      return {pair[0], pair[1]};
    }
  }
  template <typename T>
  void Store(T* p) const {
    if constexpr (std::is_same_v<T, C>) {
      lo.store(p);
      hi.store(p + Vec::size());
    } else {
      ToHalf<T>(lo, hi).store(p);
    }
  }
  // Past the caches. A line of them begins at p, or as much as this stores of a line.
  template <typename T>
  void Stream(T* p) const {
    if constexpr (std::is_same_v<T, C>) {
      StreamVector(lo, p);
      StreamVector(hi, p + Vec::size());
    } else {
      StreamVector(ToHalf<T>(lo, hi), p);
    }
  }
  // What a comparison gave.
  void StoreMask(bool* p) const {
    using Bits = std::conditional_t<sizeof(C) == 4, int32_t, int64_t>;
    Bits bits[kSize];
    lo.store(bits);
    hi.store(bits + Vec::size());
    for (int64_t i = 0; i < kSize; ++i) p[i] = bits[i] != 0;
  }
  Elements Spill() const {
    Elements elements;
    Store(elements.data());
    return elements;
  }
  template <typename T>
  void Store(T* p, int64_t n) const {
    if constexpr (std::is_same_v<T, C>) {
      const int64_t rest = n - Vec::size();
      lo.store(p, rest < 0 ? n : Vec::size());
      if (rest > 0) hi.store(p + Vec::size(), rest);
    } else {
      ToHalf<T>(lo, hi).store(p, n);
    }
  }
};

template <typename T>
inline constexpr bool is_half_v = std::is_same_v<T, dtype::float16> || std::is_same_v<T, dtype::bfloat16>;

// Whether a functor takes SIMD vectors in the place of numbers of type C, one for each of Ins: its call operator is a
// template.
template <typename F, typename C, typename... Ins>
constexpr bool TakesVectors() {
  if constexpr (std::is_same_v<C, float> || std::is_same_v<C, double>) {
    return (std::is_same_v<C, ComputeType<Ins>> && ...) &&
           std::is_invocable_v<const F&, std::conditional_t<true, at::vec::Vectorized<C>, Ins>...>;
  } else {
    return false;
  }
}

// Whether a functor over these types runs on SIMD vectors: if it takes them, and also for half types, which only
// vectors convert fast.
template <typename F, typename Out, typename... Ins>
constexpr bool UsesSimd() {
  using C = ComputeType<Out>;
  if (TakesVectors<F, C, Ins...>()) return true;
  constexpr bool is_float = std::is_same_v<C, float> && (std::is_same_v<C, ComputeType<Ins>> && ...);
  return is_float && (is_half_v<Out> || ... || is_half_v<Ins>);
}

// Whether a functor compares these types on SIMD vectors.
template <typename F, typename Out, typename... Ins>
constexpr bool UsesSimdMasks() {
  if constexpr (std::is_same_v<std::invoke_result_t<const F&, ComputeType<Ins>...>, bool>) {
    return std::is_same_v<Out, bool> && (TakesVectors<F, float, Ins...>() || TakesVectors<F, double, Ins...>());
  } else {
    return false;
  }
}

}  // namespace phi::primitive::detail
