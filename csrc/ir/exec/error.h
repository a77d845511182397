// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/enforce.h"
#include "ir/exec/schedule.h"

namespace phi::ir {

// An error that names its operation.
class OperationError : public enforce::EnforceNotMet {
 public:
  using EnforceNotMet::EnforceNotMet;
};

// Throws the exception that is handled now as the error of an operation, with the shapes of its tensors.
[[noreturn]] void RethrowFor(const Step& step,
                             const std::vector<Slots>& inputs,
                             const std::vector<DenseTensor>& tensors);

}  // namespace phi::ir
