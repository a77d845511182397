// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/shape/dim_expr.h"

namespace phi::ir {

// As Python's //; b is neither 0 nor -1.
inline int64_t FloorDiv(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }

// floordiv(a, b) as what is divided without a remainder and the rest: floordiv(a, b) = quotient + floordiv(rest,
// divisor).
struct DimDivision {
  Dim quotient, rest, divisor;
};
DimDivision Divide(IrContext* context, const Dim& a, const Dim& b);

}  // namespace phi::ir
