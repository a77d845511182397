// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Allocator.h>

#include <cstddef>

// Memory for small CPU outputs. An aligned allocation costs a quarter of a small op, so each thread keeps the blocks
// that it frees, up to a limit for each size, and hands them out again.
namespace phi::torch_bridge {

inline constexpr size_t kSmallBlock = 4096;  // the most bytes of a block

// `bytes` of memory, 1 to kSmallBlock, aligned as torch's are. The block may be freed by any thread.
c10::DataPtr AllocateSmallBlock(size_t bytes);

// Whether torch's own allocator serves the CPU and no profiler counts its memory: else a block must come from there.
bool UsesSmallBlocks(const c10::Allocator* cpu);

// The blocks that this thread keeps for `bytes`.
size_t KeptSmallBlocks(size_t bytes);

}  // namespace phi::torch_bridge
