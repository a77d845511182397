// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace phi::ir {

// The interface of an operator of which each element of the result comes from the elements at its place in the operands
// alone: it can be computed of parts of them, tiles, one after another.
class TileProgram {
 public:
  struct Concept {
    int16_t tensors;  // the first operands, which its kernel takes tiles of; the others are attributes
  };
};

}  // namespace phi::ir
