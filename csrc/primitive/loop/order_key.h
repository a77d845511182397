// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <type_traits>

#include "common/data_type.h"
#include "common/hostdevice.h"

// Numbers as unsigned integers of the same order.
namespace phi::primitive {

template <size_t bytes>
struct UnsignedOfSize;
template <>
struct UnsignedOfSize<1> {
  using Type = uint8_t;
};
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
// Without branches, so that compilers vectorize it.
template <typename T>
HOSTDEVICE inline OrderKey<T> ToOrderKey(T value, bool largest) {
  using U = OrderKey<T>;
  constexpr int kLast = sizeof(U) * 8 - 1;
  constexpr U kSign = U(1) << kLast;
  constexpr U kAll = static_cast<U>(~U(0));
  U key;
  memcpy(&key, &value, sizeof(U));
  if constexpr (std::is_integral_v<T>) {
    key ^= std::is_signed_v<T> ? kSign : U(0);
  } else {
    const auto number = static_cast<typename dtype::MPTypeTrait<T>::Type>(value);
    key = number == 0 ? U(0) : key;
    const U negative = static_cast<U>(U(0) - (key >> kLast));  // all bits or none
    key = static_cast<U>(key ^ (negative | kSign));
    key = number != number ? kAll : key;
  }
  return largest ? key : static_cast<U>(~key);
}

}  // namespace phi::primitive
