// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ir/core/program.h"

namespace phi::ir {

// The faults of a program, up to twenty.
class Report {
 public:
  static constexpr size_t kMost = 20;
  // `what` says what is expected and what there is.
  void Add(const Operation& op, const std::string& what);
  bool full() const { return messages_.size() >= kMost; }
  const std::vector<std::string>& messages() const { return messages_; }

 private:
  std::vector<std::string> messages_;
};

// Whether the program is what its dialects say: operands, results and attributes of each operation, definitions before
// uses, terminators, regions, use lists, contexts, symbols, weights. Empty where it is.
std::vector<std::string> Verify(const Program& program);
// What its row in the table says of one operation by itself; a part of Verify.
void VerifyAgainstTable(const Operation& op, const Program& program, Report* report);

}  // namespace phi::ir
