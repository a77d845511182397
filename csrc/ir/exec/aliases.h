// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_set>

#include "ir/core/program.h"
#include "ir/core/value_sets.h"

namespace phi::ir {

// Whether a value is no tensor that may share its memory: a vtensor, or something else.
bool HasValueSemantics(Value value);

// Which values of a program share memory, as its in-place operations say and its views of tensors that may be aliased,
// and which of that is written. A view that is a vtensor has memory of its own where that makes a difference.
class Aliases {
 public:
  explicit Aliases(const Program& program);
  // Whether an operation writes to the memory of `value`, by whatever name.
  bool IsWritten(Value value) const;
  // Whether an in-place operation may as well write elsewhere, since nobody sees its operand afterwards: a weight that
  // is not mutable or an input of the program, which has no other use.
  bool WritesElsewhere(const Operation& op, size_t operand) const;

 private:
  bool IsFromOutside(Value value) const;

  const Weights& weights_;
  ValueSets shared_;
  std::unordered_set<Value> written_;  // by the first of those that share memory
};

}  // namespace phi::ir
