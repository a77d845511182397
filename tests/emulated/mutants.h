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

// `a <Less<7>()> b` is `a < b`, or `a <= b` where place 7 is changed.
template <int place>
struct Less {};

template <int place, typename T>
struct LessThan {
  T left;
};

template <int place, typename T>
LessThan<place, T> operator<(T left, Less<place>) {
  return {left};
}

template <int place, typename T, typename U>
bool operator>(LessThan<place, T> half, U right) {
  using Common = std::common_type_t<T, U>;  // as the operator converts them
  const Common a = half.left, b = right;
  return IsChanged(place) ? a <= b : a < b;
}

}  // namespace phi::emulated
