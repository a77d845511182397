// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "ir/core/value.h"

namespace phi::ir {

// What a value of one program is in its copy.
class IrMapping {
 public:
  void Add(Value from, Value to) { values_[from] = to; }
  // One that was not added, from outside of what is copied, is itself.
  Value Lookup(Value from) const {
    const auto found = values_.find(from);
    return found == values_.end() ? from : found->second;
  }

 private:
  std::unordered_map<Value, Value> values_;
};

// A copy of an operation, with all that stands in its regions, without a block. Its operands are looked up in
// `mapping`, and its results are added to it.
Operation* Clone(const Operation& op, IrMapping* mapping);
// Copies the operations of a block to the end of another.
void CloneInto(const Block& from, Block* to, IrMapping* mapping);

}  // namespace phi::ir
