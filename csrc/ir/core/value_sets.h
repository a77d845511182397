// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "ir/core/value.h"

namespace phi::ir {

// Disjoint sets of values, such as those that share memory. A value that was not joined is in a set of its own.
class ValueSets {
 public:
  // The one that stands for the set of a value.
  Value Find(Value value) const {
    for (;;) {
      const auto found = parents_.find(value);
      if (found == parents_.end()) return value;
      const auto next = parents_.find(found->second);
      if (next != parents_.end()) found->second = next->second;  // the path gets shorter
      value = found->second;
    }
  }
  // Null is in no set.
  void Join(Value a, Value b) {
    if (!a || !b) return;
    const Value from = Find(a), to = Find(b);
    if (from != to) parents_[from] = to;
  }

 private:
  mutable std::unordered_map<Value, Value> parents_;
};

}  // namespace phi::ir
