// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/enforce.h"
#include "common/hostdevice.h"

namespace phi::funcs {

// x / y of integers, rounded down: x is quotient * y + remainder. InvalidArgument for y = 0 on the CPU; a GPU gives 0.
// The one quotient that does not fit wraps around.
template <typename T>
struct FloorDivision {
  T quotient;
  T remainder;

  HOSTDEVICE FloorDivision(T x, T y) : quotient(0), remainder(0) {
    if (y == T(0)) {
#ifndef __CUDA_ARCH__
      PADDLE_THROW(errors::InvalidArgument("argument 'y': expected no 0 among integers that divide"));
#endif
      return;
    }
    if constexpr (std::is_signed_v<T>) {
      if (y == T(-1)) {  // which traps for the lowest number
        quotient = static_cast<T>(0 - static_cast<uint64_t>(x));
        return;
      }
    }
    quotient = static_cast<T>(x / y);
    remainder = static_cast<T>(x % y);
    // without a branch, which nobody foresees
    const bool rounds_up = (remainder != T(0)) & ((remainder < T(0)) != (y < T(0)));
    quotient = static_cast<T>(quotient - T(rounds_up));
    remainder = static_cast<T>(remainder + (y & static_cast<T>(-T(rounds_up))));
  }
};

}  // namespace phi::funcs
