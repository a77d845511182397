// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "primitive/cpu/simd.h"

// As many values as a SIMD register holds, in a type on which operators and ?: work lane by lane (a vector of the
// compiler's); an array for types that have no such vectors.
namespace phi::primitive {

#if defined(CPU_CAPABILITY_AVX512) || defined(CPU_CAPABILITY_AVX2)
inline constexpr int kRegisterBytes = at::vec::Vectorized<float>::size() * sizeof(float);
#else
inline constexpr int kRegisterBytes = 16;
#endif
template <typename Acc>
inline constexpr int kLanes = kRegisterBytes / sizeof(Acc);
// whether torch's SIMD vectors of the type are of the same size
template <typename Acc>
inline constexpr bool kIsVectorized = at::vec::Vectorized<Acc>::size() == kLanes<Acc>;
template <typename Acc>
inline constexpr bool kHasVector = std::is_arithmetic_v<Acc> && !std::is_same_v<Acc, bool>;

template <typename T, int size, bool has_vector>
struct LanesOf {
  T values[size];
  using Type = LanesOf;
  T& operator[](int i) { return values[i]; }
  const T& operator[](int i) const { return values[i]; }
};
template <typename T, int size>
struct LanesOf<T, size, true> {
  typedef T Type __attribute__((vector_size(size * sizeof(T))));
};

template <typename Acc>
using Lanes = typename LanesOf<Acc, kLanes<Acc>, kHasVector<Acc>>::Type;

template <typename Acc>
Lanes<Acc> FillLanes(Acc value) {
  Lanes<Acc> v;
  for (int i = 0; i < kLanes<Acc>; ++i) v[i] = value;
  return v;
}

// kLanes<Acc> neighbours at `from`, each converted to Acc.
template <typename Acc, typename T>
Lanes<Acc> LoadLanes(const T* from) {
  constexpr int size = kLanes<Acc>;
  Lanes<Acc> to;
  if constexpr (std::is_same_v<T, Acc>) {
    std::memcpy(static_cast<void*>(&to), from, sizeof(to));
  } else if constexpr (std::is_same_v<Acc, float> && detail::is_half_v<T> && kIsVectorized<float>) {
    at::vec::Vectorized<float> v;
    at::vec::load_to_float<T>(from, v);
    v.store(&to);
  } else if constexpr (kHasVector<Acc> && kHasVector<T>) {
    typename LanesOf<T, size, true>::Type v;
    std::memcpy(&v, from, sizeof(v));
    to = __builtin_convertvector(v, Lanes<Acc>);
  } else if constexpr (kHasVector<Acc> && std::is_same_v<T, bool>) {
    to = LoadLanes<Acc>(reinterpret_cast<const uint8_t*>(from));
  } else {
    for (int i = 0; i < size; ++i) to[i] = Convert<Acc>(from[i]);
  }
  return to;
}

template <typename Acc>
void StoreLanes(const Lanes<Acc>& v, Acc* to) {
  std::memcpy(static_cast<void*>(to), &v, sizeof(v));
}

}  // namespace phi::primitive
