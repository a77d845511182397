// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace phi::ir {

// The interface of an operator with a composite, which the pass `decompose` puts in its place.
class Decompose {
 public:
  struct Concept {
    const char* composite;  // as the YAML has it: an expression, or module:function
    bool only;              // there is no kernel beside it
  };
};

}  // namespace phi::ir
