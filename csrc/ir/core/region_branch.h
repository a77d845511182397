// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/core/op_base.h"

namespace phi::ir {

// The interface of an operator that runs its regions: how values come in and out.
class RegionBranch : public OpInterfaceBase<RegionBranch> {
 public:
  using OpInterfaceBase::OpInterfaceBase;
  struct Concept {
    bool repeats;           // operands are the arguments of the region, and what it yields those of its next run
    int16_t first_operand;  // the first of these operands
    int16_t first_yielded;  // the first of what a region yields that is an argument or a result
  };
};

}  // namespace phi::ir
