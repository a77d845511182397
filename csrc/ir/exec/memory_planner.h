// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace phi::ir {

// A piece of memory, from the step that first uses it to the one that last does.
struct Buffer {
  int64_t bytes = 0;
  int first = 0;
  int last = 0;
  int64_t offset = -1;  // what is planned
};

inline constexpr int64_t kBufferAlignment = 64;

// Places the buffers in one arena, each in the smallest gap that holds it, in the order of their first use. Where this
// takes more than lives at once, other orders are tried as well: the largest first (arXiv 2001.03288), and those that
// live longest. Returns the size of the smallest arena.
int64_t PlanMemory(std::vector<Buffer>* buffers);

// Fatal if two buffers that live at once overlap, one is not aligned, or one leaves the arena. It knows nothing of how
// they were placed.
void ProveMemory(const std::vector<Buffer>& buffers, int64_t arena);

// The most bytes that live at once: no arena can be smaller.
int64_t LiveBytes(const std::vector<Buffer>& buffers);

}  // namespace phi::ir
