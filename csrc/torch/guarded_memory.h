// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// An allocator for tests: each block of the CPU lies between zones of a known pattern, and is filled with another, so
// that a kernel that writes beyond its results, or leaves a part of them unwritten, is found. It stands in the place of
// torch's allocator while it is switched on; nothing else knows of it.
namespace phi::torch_bridge {

// A zone that does not hold its pattern: bytes [first, last] were written, counted from the start of the block.
struct MemoryFault {
  uintptr_t address;
  size_t size;
  int64_t first;
  int64_t last;
};

// New memory of the whole process comes from this allocator, each byte of it `fill`. Raises PreconditionNotMet if it is
// switched on already, or if an allocator of a higher priority serves the CPU.
void GuardMemory(uint8_t fill);
void StopGuardingMemory();
// The damaged zones of all blocks, of those that were freed too, since the last call.
std::vector<MemoryFault> TakeMemoryFaults();

}  // namespace phi::torch_bridge
