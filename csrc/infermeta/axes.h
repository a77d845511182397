// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "common/int_array.h"
#include "core/ddim.h"

// Axes among arguments.
namespace phi {

// An axis in [-rank, rank) as one in [0, rank). OutOfRange otherwise.
inline int CanonicalAxis(int64_t axis, int rank, const char* argument = "axis") {
  const int64_t limit = rank == 0 ? 1 : rank;
  PADDLE_ENFORCE(
      axis >= -limit && axis < limit,
      errors::OutOfRange("argument '%s': expected a value in [%d, %d), got %d", argument, -limit, limit, axis));
  return static_cast<int>(axis < 0 ? axis + limit : axis);
}

template <class Dim>
using AxisFlags = std::array<bool, BasicDDim<Dim>::kMaxRank>;

// For each dimension whether `axis`, of values in [-rank, rank), names it; an empty `axis` names all.
template <class Dim>
std::array<bool, BasicDDim<Dim>::kMaxRank> ReducedAxes(const IntArrayBase<Dim>& axis, int rank) {
  std::array<bool, BasicDDim<Dim>::kMaxRank> reduced = {};
  if (axis.empty()) reduced.fill(true);
  const int limit = rank == 0 ? 1 : rank;
  for (const Dim& a : axis) {
    int found = -1;
    for (int i = 0; i < limit && found < 0; ++i) {
      if (a == i || a == i - limit) found = i;
    }
    PADDLE_ENFORCE(found >= 0,
                   errors::OutOfRange("argument 'axis': expected values in [%d, %d), got %d", -limit, limit, a));
    PADDLE_ENFORCE(
        !reduced[found],
        errors::InvalidArgument("argument 'axis': expected each dimension once, got dimension %d again", found));
    reduced[found] = true;
  }
  return reduced;
}

}  // namespace phi
