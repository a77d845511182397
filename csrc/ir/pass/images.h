// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ir/core/program.h"

namespace phi::ir {

// The convolutions of a program that take less time with packed filters and with the channels last in memory.
struct LargeConvolutions {
  std::vector<Operation*> all;      // in order; those whose filters are packed, too
  std::vector<Operation*> borders;  // those whose images have the channels second
};

// Those of float32 with constant filters, where large ones do most of what the program's convolutions do, and where
// they follow on one another: none of small images, and none between operators that need contiguous tensors.
LargeConvolutions FindLargeConvolutions(const Program& program);

// Whether this machine's library has what they run with.
bool HasPackedConvolution();

// Whether one of them takes less time by Winograd's algorithm.
bool IsForWinograd(const Operation& op);

// Puts an operation of that name, which takes the filter in an order of its own, in the place of one of them.
void ReplaceConvolution(Program* program, Operation* op, const char* name);

}  // namespace phi::ir
