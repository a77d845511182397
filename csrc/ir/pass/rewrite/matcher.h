// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/core/program.h"
#include "ir/pass/effects.h"
#include "ir/pass/rewrite/constant.h"
#include "ir/pass/rewrite/rewrite.h"

namespace phi::ir {

// What a variable of a rewrite stands for: a value, null where an operand is absent; a constant; or an operation with
// all its attributes that the pattern does not name.
struct Binding {
  enum class Kind : uint8_t { Value, Constant, Rest };
  Kind kind = Kind::Value;
  Value value;
  Constant constant;
  const Operation* op = nullptr;
  std::vector<std::string> named;  // the attributes of `op` that the pattern names

  static Binding Of(Value value);
  static Binding Of(Constant constant);
};

struct Match {
  std::map<std::string, Binding> names;
  std::vector<Operation*> ops;  // the root first
};

// A program whose values are matched.
struct MatchedProgram {
  Program* program;
  const WrittenValues* written;
};

// A rewrite's match at an operation, with its conditions true; nothing without one.
std::optional<Match> FindMatch(const Rewrite& rewrite, Operation* root, const MatchedProgram& program);

// What an expression is that has no operators on tensors in it.
Constant Evaluate(const Term& term, const Match& match, const MatchedProgram& program);

// Whether a value is the same in all runs, for ever: a weight that nobody writes, a constant, or what follows from
// them.
bool IsConstant(Value value, const MatchedProgram& program);

}  // namespace phi::ir
