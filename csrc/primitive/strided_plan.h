// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/dense_tensor.h"

namespace phi::primitive {

// How to walk over an output and the inputs that broadcast to it: as few dimensions as possible, in the order of the
// output's memory. Dimension 0 is the innermost; operand 0 is the output; strides are in bytes, 0 where an input
// repeats.
struct StridedPlan {
  static constexpr int kMaxOperands = 5;

  int rank = 0;
  int operands = 0;
  int64_t sizes[DDim::kMaxRank];
  int64_t strides[DDim::kMaxRank][kMaxOperands];
  char* data[kMaxOperands];

  int64_t numel() const {
    int64_t n = 1;
    for (int d = 0; d < rank; ++d) n *= sizes[d];
    return n;
  }
};

// `tensors`: the output, then the inputs; all have memory. The output has elements; the plan
// has at least one dimension.
StridedPlan MakeStridedPlan(std::span<const DenseTensor* const> tensors);

}  // namespace phi::primitive
