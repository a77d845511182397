// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace phi::ir {

// What is known of a symbol: which size of which input it is, its bounds, and a number that divides it.
struct SymbolInfo {
  static constexpr int64_t kNoUpper = std::numeric_limits<int64_t>::max();
  std::string source;  // "image.0"
  int64_t lower = 0;
  int64_t upper = kNoUpper;
  int64_t divisor = 1;
  bool operator==(const SymbolInfo&) const = default;
};

// The symbols of a program; the text names them s0, s1, ...
class SymbolTable {
 public:
  // Returns its number. InvalidArgument for a range without a number in it.
  int64_t Add(SymbolInfo info);
  size_t size() const { return symbols_.size(); }
  const SymbolInfo& at(int64_t index) const { return symbols_.at(index); }
  void Truncate(size_t size) { symbols_.resize(size); }  // to what it was, of symbols that no type has

 private:
  std::vector<SymbolInfo> symbols_;
};

}  // namespace phi::ir
