// SPDX-License-Identifier: Apache-2.0
#pragma once

// What mutants.py writes into device code: places that can be changed while the library is in use.

#include <type_traits>

extern "C" {
inline int phi_mutant = 0;                  // the place that is changed
inline unsigned char phi_reached[1 << 12];  // the places that have run
}

namespace phi::emulated {

inline bool IsChanged(int place) {
  phi_reached[place] = 1;
  return place == phi_mutant;
}

// `a <Place<7>()> b` is `a < b`, or `a <= b` where place 7 is changed; `a >=Place<7>()> b` is `a >= b`, or `a > b`.
template <int place>
struct Place {};

template <int place, typename T, bool is_less>
struct LeftOf {
  T left;
};

template <int place, typename T>
LeftOf<place, T, true> operator<(T left, Place<place>) {
  return {left};
}
template <int place, typename T>
LeftOf<place, T, false> operator>=(T left, Place<place>) {
  return {left};
}

template <int place, typename T, bool is_less, typename U>
bool operator>(LeftOf<place, T, is_less> half, U right) {
  using Common = std::common_type_t<T, U>;  // as the operators convert them
  const Common a = half.left, b = right;
  return (IsChanged(place) ? a <= b : a < b) == is_less;
}

// min(value, limit), or the value alone.
template <int place, typename T>
T Min(T value, T limit) {
  return !IsChanged(place) && limit < value ? limit : value;
}

}  // namespace phi::emulated
