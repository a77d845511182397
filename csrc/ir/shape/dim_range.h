// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "ir/shape/dim_expr.h"
#include "ir/shape/symbol_table.h"

// What is known of sizes from their form, and from the bounds and divisors of their symbols.
namespace phi::ir {

struct DimRange {
  static constexpr int64_t kNoLower = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kNoUpper = std::numeric_limits<int64_t>::max();
  int64_t lower = kNoLower, upper = kNoUpper;
};

DimRange RangeOf(const Dim& dim, const SymbolTable& symbols);
// A number that divides it, at least 1; 0 divides only 0.
int64_t DivisorOf(const Dim& dim, const SymbolTable& symbols);

// Nothing where neither form nor range decides.
std::optional<bool> IsEqual(IrContext* context, const Dim& a, const Dim& b, const SymbolTable& symbols);
std::optional<bool> IsLess(IrContext* context, const Dim& a, const Dim& b, const SymbolTable& symbols);

}  // namespace phi::ir
