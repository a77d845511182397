// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/hostdevice.h"

// Elements that lie one after another. Compilers make no vectors of copies of classes, as the half types are: on the
// host these are bytes.
namespace phi::primitive {

// Copies n elements, none if that is negative; they do not overlap. On the host it writes upwards, in parts of a cache
// line and then halves of one: what is written twice, or out of order, costs more than it spares.
template <typename T>
HOSTDEVICE void CopyRun(const T* from, T* to, int64_t n) {
  int64_t i = 0;
#ifndef PHI_DEVICE_CODE
  constexpr int64_t kPart = 64 / sizeof(T);
  constexpr int64_t kLong = 16 * kPart;  // where a call of memcpy no longer counts
  if (n >= kLong) {
    std::memcpy(static_cast<void*>(to), from, n * sizeof(T));
    return;
  }
  const auto copy = [&](auto part) {
    std::memcpy(static_cast<void*>(to + i), from + i, part * sizeof(T));
    i += part;
  };
  while (n - i >= kPart) copy(std::integral_constant<int64_t, kPart>());
  if (n - i >= kPart / 2) copy(std::integral_constant<int64_t, kPart / 2>());
  if (n - i >= kPart / 4) copy(std::integral_constant<int64_t, kPart / 4>());
#endif
  for (; i < n; ++i) to[i] = from[i];
}

// Copies n elements to where they lie one before another, the first of them last in memory: to[-i] = from[i]. They do
// not overlap.
template <typename T>
HOSTDEVICE void ReverseRun(const T* from, T* to, int64_t n) {
#ifndef PHI_DEVICE_CODE
  if constexpr (std::is_class_v<T> && sizeof(T) == sizeof(int16_t)) {
    using Bits [[gnu::may_alias]] = int16_t;
    return ReverseRun(reinterpret_cast<const Bits*>(from), reinterpret_cast<Bits*>(to), n);
  }
#endif
#ifdef __GNUC__
#pragma GCC ivdep
#endif
  for (int64_t i = 0; i < n; ++i) to[-i] = from[i];
}

// Sets n elements to zero, none if that is negative.
template <typename T>
HOSTDEVICE void ZeroRun(T* to, int64_t n) {
#ifndef PHI_DEVICE_CODE
  if constexpr (std::is_class_v<T>) {
    if (n > 0) std::memset(static_cast<void*>(to), 0, n * sizeof(T));
    return;
  }
#endif
  for (int64_t i = 0; i < n; ++i) to[i] = T(0);
}

}  // namespace phi::primitive
