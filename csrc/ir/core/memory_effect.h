// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/core/op_base.h"

namespace phi::ir {

// What an operation does beside giving results that are its own.
struct Effects {
  bool is_known = true;                     // false: of an operator that nobody knows, which may do anything
  bool has_side_effect = false;             // something that no value shows: it prints, asserts, stores
  bool is_random = false;                   // draws numbers
  std::vector<int> written;                 // operands whose memory it writes
  std::vector<std::pair<int, int>> shared;  // operands and results that are in one memory

  bool Writes(int operand) const { return std::ranges::count(written, operand) != 0; }
};

// The interface of an operator that writes what its row of the table does not say, or that does less than the row says
// where its attributes are such: a dropout of inference draws no numbers.
class MemoryEffect : public OpInterfaceBase<MemoryEffect> {
 public:
  using OpInterfaceBase::OpInterfaceBase;
  struct Concept {
    void (*refine)(const Operation& op, Effects* effects);  // gets what the row says
  };
};

// By its row, and by its interface where it has one. Of what stands in its regions they say nothing.
Effects EffectsOf(const Operation& op);

}  // namespace phi::ir
