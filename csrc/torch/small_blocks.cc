// SPDX-License-Identifier: Apache-2.0
#include "torch/small_blocks.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/alignment.h>
#include <c10/core/impl/alloc_cpu.h>

#include <array>
#include <bit>
#include <cstdint>
#include <new>
#include <utility>

namespace phi::torch_bridge {

namespace {

constexpr size_t kSmallest = c10::gAlignment;
constexpr int kSizes = std::bit_width(kSmallBlock / kSmallest);
constexpr uint32_t kKeptBytes = 64 << 10;  // of each size

struct Block {
  Block* next;
};

// Blocks of one size, linked through their own memory.
struct Kept {
  Block* first;
  uint32_t count;
};

enum class State : uint8_t { kUnused, kInUse, kEnded };

// Without constructor and destructor, so that reaching them is one address computation.
thread_local constinit Kept tls_kept[kSizes] = {};
thread_local constinit State tls_state = State::kUnused;

// Frees the blocks when the thread ends; what is freed later goes to the system.
struct AtThreadEnd {
  ~AtThreadEnd() {
    tls_state = State::kEnded;
    for (Kept& kept : tls_kept) {
      while (Block* block = std::exchange(kept.first, kept.first ? kept.first->next : nullptr)) c10::free_cpu(block);
      kept.count = 0;
    }
  }
};

[[gnu::noinline]] bool StartsKeeping() {
  if (tls_state == State::kEnded) return false;
  static thread_local AtThreadEnd at_thread_end;
  (void)at_thread_end;
  tls_state = State::kInUse;
  return true;
}

int SizeIndex(size_t bytes) { return std::bit_width((bytes - 1) / kSmallest); }

template <int I>
void Free(void* memory) {
  Kept& kept = tls_kept[I];
  if (__builtin_expect(kept.count >= kKeptBytes / (kSmallest << I) || (tls_state != State::kInUse && !StartsKeeping()),
                       0)) {
    return c10::free_cpu(memory);
  }
  kept.first = new (memory) Block{kept.first};
  ++kept.count;
}

constexpr auto kFree = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<c10::DeleterFnPtr, kSizes>{&Free<I>...};
}(std::make_integer_sequence<int, kSizes>());

}  // namespace

c10::DataPtr AllocateSmallBlock(size_t bytes) {
  const int i = SizeIndex(bytes);
  Kept& kept = tls_kept[i];
  void* memory = kept.first;
  if (__builtin_expect(memory != nullptr, 1)) {
    kept.first = kept.first->next;
    --kept.count;
  } else {
    memory = c10::alloc_cpu(kSmallest << i);
  }
  return {memory, memory, kFree[i], c10::Device(c10::kCPU)};
}

bool UsesSmallBlocks(const c10::Allocator* cpu) {
  static const c10::Allocator* const torch_allocator = c10::GetDefaultCPUAllocator();
  return cpu == torch_allocator && !c10::memoryProfilingEnabled();
}

size_t KeptSmallBlocks(size_t bytes) { return tls_kept[SizeIndex(bytes)].count; }

}  // namespace phi::torch_bridge
