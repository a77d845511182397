// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/data_type.h"
#include "common/hostdevice.h"

namespace phi::primitive {

// The type that functors get an element of T in: half types are computed in float.
template <typename T>
using ComputeType = typename dtype::MPTypeTrait<T>::Type;
template <typename T>
using Acc = ComputeType<T>;

// Floating types of 16 bits and less, which convert by way of float.
template <typename T>
inline constexpr bool is_small_float_v =
    std::is_same_v<T, dtype::float16> || std::is_same_v<T, dtype::bfloat16> ||
    std::is_same_v<T, dtype::float8_e4m3fn> || std::is_same_v<T, dtype::float8_e5m2>;

// From any number type to any other, as NumPy's astype. A complex number keeps its real part.
template <typename Out, typename In>
HOSTDEVICE inline Out Convert(In v) {
  if constexpr (std::is_same_v<Out, In>) {
    return v;
  } else if constexpr (is_small_float_v<In>) {
    return Convert<Out>(static_cast<float>(v));
  } else if constexpr (std::is_same_v<Out, bool>) {
    return v != In(0);
  } else if constexpr (dtype::is_complex_v<Out>) {
    using Real = typename dtype::RealTypeTrait<Out>::Type;
    if constexpr (dtype::is_complex_v<In>) {
      return Out(static_cast<Real>(v.real()), static_cast<Real>(v.imag()));
    } else {
      return Out(static_cast<Real>(v));
    }
  } else if constexpr (dtype::is_complex_v<In>) {
    return Convert<Out>(v.real());
  } else if constexpr (is_small_float_v<Out>) {
    return Out(static_cast<float>(v));
  } else {
    return static_cast<Out>(v);
  }
}

template <typename T>
HOSTDEVICE inline ComputeType<T> ToCompute(T v) {
  return static_cast<ComputeType<T>>(v);
}

}  // namespace phi::primitive
