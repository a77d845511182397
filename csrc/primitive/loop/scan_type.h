// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "primitive/convert.h"

namespace phi::primitive::detail {

template <typename T>
struct ScanTypeOf {
  using Type = std::conditional_t<std::is_integral_v<T>, uint64_t, ComputeType<T>>;
};
template <>
struct ScanTypeOf<float> {
  using Type = double;
};
template <>
struct ScanTypeOf<dtype::complex<float>> {
  using Type = dtype::complex<double>;
};

// What cumulative sums of T run in: the last ones of a long axis have as many digits as the first.
template <typename T>
using ScanType = typename ScanTypeOf<T>::Type;

}  // namespace phi::primitive::detail
