// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/program.h"
#include "ir/shape/dim_expr.h"
#include "ir/text/lexer.h"

namespace phi::ir {

struct TextFault {
  TextPlace place;
  std::string message;
};

// The faults of a text, up to twenty. The message has them all, each with line and column.
class ParseError : public std::runtime_error {
 public:
  static constexpr size_t kMost = 20;
  explicit ParseError(std::vector<TextFault> faults);
  const std::vector<TextFault>& faults() const { return faults_; }

 private:
  std::vector<TextFault> faults_;
};

// What ToText wrote. Without a context the program has one of its own. It need not be valid: see Verify.
std::unique_ptr<Program> ParseProgram(std::string_view text, std::shared_ptr<IrContext> context = nullptr);
Type ParseType(IrContext* context, std::string_view text);
Attribute ParseAttribute(IrContext* context, std::string_view text);  // of Attribute::ToString()
Dim ParseDim(IrContext* context, std::string_view text);              // of Dim::ToString()

}  // namespace phi::ir
