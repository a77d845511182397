// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Allocator.h>

namespace phi::torch_bridge {

// An allocator for the CPU whose blocks end at a page without access, where a read or write ends the process; the few
// bytes between the two, which keep the alignment that vector loads need, are checked when the block is freed. New
// memory holds kPattern.
c10::Allocator* FencedMemory();

}  // namespace phi::torch_bridge
