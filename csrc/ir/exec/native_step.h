// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/exec/native_ops.h"

// What functions of native operators ask of their step.
namespace phi::ir {

inline int Only(const Step& step, size_t input) {
  const Slots& slots = step.inputs.at(input);
  PADDLE_ENFORCE(slots.size() == 1 && slots[0] >= 0, errors::InvalidArgument("expected one tensor as input %d", input));
  return slots[0];
}
inline int OnlyResult(const Step& step, size_t result = 0) { return step.outputs.at(result).at(0); }

}  // namespace phi::ir
