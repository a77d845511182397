// SPDX-License-Identifier: Apache-2.0
#include "ir/shape/symbol_table.h"

#include <utility>

#include "common/enforce.h"

namespace phi::ir {

int64_t SymbolTable::Add(SymbolInfo info) {
  PADDLE_ENFORCE(info.lower >= 0 && info.lower <= info.upper && info.divisor >= 1,
                 errors::InvalidArgument("symbol s%d: expected 0 <= lower <= upper and a divisor of at least 1, got "
                                         "lower %d, upper %d, divisor %d",
                                         symbols_.size(),
                                         info.lower,
                                         info.upper,
                                         info.divisor));
  symbols_.push_back(std::move(info));
  return static_cast<int64_t>(symbols_.size()) - 1;
}

}  // namespace phi::ir
