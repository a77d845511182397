// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_set>

#include "ir/core/program.h"
#include "ir/core/value_sets.h"

namespace phi::ir {

// The text of an attribute; empty without it.
std::string TextOf(const Operation& op, const char* attribute);

// Whether nobody would miss an operation whose results are not used: it writes nothing, draws no random number, is no
// input of the program, and nothing in its regions is otherwise. An unknown operator may do anything.
bool HasNoEffect(const Operation& op);

// The values of a program whose memory some operation writes, or shares with one that is written. Found from the tables
// of operators; where an operation has regions, all that enters and leaves them is taken to share its memory.
class WrittenValues {
 public:
  explicit WrittenValues(const Program& program);
  bool Contains(Value value) const;

 private:
  void Visit(const Operation& op);
  void JoinAll(const Operation& op);

  ValueSets shared_;
  std::unordered_set<Value> written_;  // roots, once all is visited
};

}  // namespace phi::ir
