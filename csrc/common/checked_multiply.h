// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/enforce.h"

namespace phi {

[[noreturn, gnu::noinline, gnu::cold]] inline void ThrowProduct(int64_t a, int64_t b) {
  PADDLE_THROW(errors::InvalidArgument("a size of %d * %d leaves 64 bits", a, b));
}

// a * b. Numbers whose product leaves 64 bits are refused; the product of symbols (c10::SymInt) is theirs.
template <class Dim>
Dim CheckedMultiply(const Dim& a, const Dim& b) {
  if constexpr (std::is_same_v<Dim, int64_t>) {
    int64_t product = 0;
    if (__builtin_expect(__builtin_mul_overflow(a, b, &product), 0)) ThrowProduct(a, b);
    return product;
  } else {
    const auto x = a.maybe_as_int();
    const auto y = b.maybe_as_int();
    return x && y ? Dim(CheckedMultiply<int64_t>(*x, *y)) : a * b;
  }
}

}  // namespace phi
