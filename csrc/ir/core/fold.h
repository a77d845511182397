// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/core/op_base.h"

namespace phi::ir {

// The interface of an operator that may give what it takes: canonicalize puts that in the place of its first result,
// where nobody uses the others and nothing is written.
class Fold : public OpInterfaceBase<Fold> {
 public:
  using OpInterfaceBase::OpInterfaceBase;
  struct Concept {
    // The value that the first result is equal to, null where there is none; of an operation with a first operand. One
    // of another dtype or rank than the result is not taken.
    Value (*fold)(const Operation& op);
  };
};

}  // namespace phi::ir
