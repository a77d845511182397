// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/core/value.h"
#include "ir/text/lexer.h"

namespace phi::ir {

// The name of a value where it is made or used.
struct ValueName {
  std::string key;  // empty: without one. Numbers and names apart, which may be the same text
  bool is_numbered = false;
  TextPlace place;
};

// A fault that follows from one that is known: a use of what a broken operation would have made.
struct Follows {};

// The values that a text may use at a place. What is wrong is a SyntaxError.
class ValueNames {
 public:
  void Define(const ValueName& name, Value value);  // names the value
  Value Find(const ValueName& name) const;          // Follows for one of a broken operation
  void Break(const ValueName& name);                // of an operation that could not be read

  // The names of a region end with it.
  class Scope {
   public:
    explicit Scope(ValueNames* names) : names_(names), first_(names->order_.size()) {}
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ValueNames* names_;
    size_t first_;
  };

 private:
  std::map<std::string, Value> values_;
  std::set<std::string> broken_;
  std::vector<std::string> order_;  // the names that are defined
};

}  // namespace phi::ir
