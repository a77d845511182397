// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace phi::ir {

// The interface of an operator that says what a change of precision does with it, in the words of the YAML.
class Autocast {
 public:
  struct Concept {
    const char* rule;
  };
  static constexpr Concept kLower{"lower"};      // runs in half the width
  static constexpr Concept kWide{"fp32"};        // needs float32
  static constexpr Concept kPromote{"promote"};  // takes tensors of one width, whichever
  static constexpr Concept kNone{"none"};        // says nothing
};

}  // namespace phi::ir
