// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace phi::ir {

// The interface of an operator that has a kernel: its name, and which operands and declared attributes of the operation
// are the arguments of it. The results are the kernel's outputs.
class KernelInfo {
 public:
  struct Concept {
    const char* kernel;  // that for dense tensors
    std::span<const int16_t> inputs;
    std::span<const int16_t> attributes;
  };
};

}  // namespace phi::ir
