// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "common/enforce.h"

// Sizes of interpolated images.
namespace phi {

struct Fraction {
  int64_t numerator;
  int64_t denominator;
};

// The simplest fraction that is `value` but for rounding, by its continued fraction.
inline Fraction ToFraction(double value) {
  Fraction last{0, 1};
  Fraction current{1, 0};
  for (double rest = value;; rest = 1 / (rest - std::floor(rest))) {
    const int64_t whole = static_cast<int64_t>(std::floor(rest));
    const Fraction next{whole * current.numerator + last.numerator, whole * current.denominator + last.denominator};
    last = current;
    current = next;
    const double error = value - static_cast<double>(next.numerator) / static_cast<double>(next.denominator);
    if (std::abs(error) <= 1e-12 * value || next.denominator > 1 << 24) return current;
  }
}

// size * scale, rounded down, in float64, as Paddle computes it: 100 * 0.29 is 28. A traced size stays symbolic: the
// scale is a fraction there, unless the fraction gives a whole number, which the product may lie below.
template <class Dim>
Dim ScaledSize(const Dim& size, double scale, const char* argument) {
  constexpr double kMost = 1 << 30;
  PADDLE_ENFORCE(
      scale <= kMost && scale >= 1 / kMost,
      errors::InvalidArgument("argument '%s': expected numbers from 2^-30 to 2^30, got %g", argument, scale));
  const auto scaled = [=](int64_t number) { return static_cast<int64_t>(static_cast<double>(number) * scale); };
  if constexpr (std::is_same_v<Dim, int64_t>) {
    return scaled(size);
  } else {
    if (const auto number = size.maybe_as_int()) return Dim(scaled(*number));
    const Fraction f = ToFraction(scale);
    const Dim product = size * Dim(f.numerator);
    const bool is_less = std::fma(scale, static_cast<double>(f.denominator), -static_cast<double>(f.numerator)) < 0;
    if (is_less && product % Dim(f.denominator) == 0) return Dim(scaled(size.guard_int(__FILE__, __LINE__)));
    return product / Dim(f.denominator);
  }
}

inline void CheckInterpSize(int64_t size, const char* argument) {
  PADDLE_ENFORCE(size > 0, errors::InvalidArgument("argument '%s': expected a positive size, got %d", argument, size));
}

}  // namespace phi
