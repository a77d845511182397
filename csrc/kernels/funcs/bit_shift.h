// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "common/hostdevice.h"

// Shifts of integers by any count: a negative one counts as one of all bits.
namespace phi::funcs {

template <typename T>
HOSTDEVICE inline bool ShiftsAll(T count) {
  return count < T(0) || static_cast<std::make_unsigned_t<T>>(count) >= 8 * sizeof(T);
}

template <typename T>
HOSTDEVICE inline T ShiftLeft(T x, T count) {
  return ShiftsAll(count) ? T(0) : static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << count);
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
