// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/hostdevice.h"

// Shifts of integers by any count: a negative one counts as one of all bits.
namespace phi::funcs {

template <typename T>
HOSTDEVICE inline bool ShiftsAll(T count) {
  return static_cast<std::make_unsigned_t<T>>(count) >= 8 * sizeof(T);  // a negative one is great
}

template <typename T>
HOSTDEVICE inline T ShiftLeft(T x, T count) {
  using Bits = std::make_unsigned_t<T>;
  if constexpr (sizeof(T) == 1) {  // in the 16 bits that vectors of processors shift by
    const uint16_t given = static_cast<Bits>(count);
    const uint16_t by = given < 8 ? given : 8;
    return static_cast<T>(static_cast<uint16_t>(static_cast<uint16_t>(static_cast<Bits>(x)) << by));
  }
  return ShiftsAll(count) ? T(0) : static_cast<T>(static_cast<Bits>(x) << count);
}

// The sign follows; an unsigned number, which is shifted as an int, has none.
template <typename T>
HOSTDEVICE inline T ShiftRight(T x, T count) {
  constexpr T kAll = 8 * sizeof(T) - (std::is_signed_v<T> ? 1 : 0);
  return static_cast<T>(x >> (ShiftsAll(count) ? kAll : count));
}

template <typename T>
HOSTDEVICE inline T ShiftRightLogical(T x, T count) {
  return ShiftsAll(count) ? T(0) : static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) >> count);
}

}  // namespace phi::funcs
