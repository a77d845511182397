// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <type_traits>

#include "common/data_type.h"
#include "common/hostdevice.h"

// Numbers as unsigned integers of the same order.
namespace phi::funcs {

template <size_t bytes>
struct UnsignedOfSize;
template <>
struct UnsignedOfSize<2> {
  using Type = uint16_t;
};
template <>
struct UnsignedOfSize<4> {
  using Type = uint32_t;
};
template <>
struct UnsignedOfSize<8> {
  using Type = uint64_t;
};
template <typename T>
using OrderKey = typename UnsignedOfSize<sizeof(T)>::Type;

// An unsigned number that is larger for a better element. NaN is the largest number, and the two zeros are equal.
template <typename T>
HOSTDEVICE inline OrderKey<T> ToOrderKey(T value, bool largest) {
  using U = OrderKey<T>;
  constexpr U kSign = U(1) << (sizeof(U) * 8 - 1);
  const auto number = static_cast<typename dtype::MPTypeTrait<T>::Type>(value);
  U key;
  if (number != number) {
    key = static_cast<U>(~U(0));
  } else {
    if (number == 0) value = T(0);
    U bits;
    memcpy(&bits, &value, sizeof(U));
    if constexpr (std::is_integral_v<T>) {
      key = bits ^ kSign;
    } else {
      key = bits & kSign ? static_cast<U>(~bits) : static_cast<U>(bits | kSign);
    }
  }
  return largest ? key : static_cast<U>(~key);
}

}  // namespace phi::funcs
