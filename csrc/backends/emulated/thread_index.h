// SPDX-License-Identifier: Apache-2.0
#pragma once

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}  // NOLINT
};

namespace phi::emulated {

#pragma GCC visibility push(hidden)  // they are read in every loop
extern uint3 thread_index, block_index;
extern dim3 block_size, grid_size;
#pragma GCC visibility pop

// The number of the running thread in its block.
inline unsigned LinearIndex() {
  return (thread_index.z * block_size.y + thread_index.y) * block_size.x + thread_index.x;
}

}  // namespace phi::emulated
