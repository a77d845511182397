// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "backends/emulated/thread_index.h"

namespace phi::emulated {

// Whether CUDA takes a launch of this form.
bool IsValid(dim3 grid, dim3 block);

// Runs a kernel: its blocks one after another, and the threads of a block in turns.
void RunGrid(dim3 grid, dim3 block, const std::function<void()>& kernel);

// Of a grid whose kernel can walk it.
int64_t MostBlocks();

// Waits for all threads of the block.
void Barrier(const char* file, int line);

// Waits for the lanes of `mask`; they get what the lane of their choice gave.
void Exchange(unsigned mask, unsigned lane, const void* given, void* received, size_t size, const char* file, int line);

template <typename T>
T ShuffleXor(unsigned mask, T value, int lanes, const char* file, int line) {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "CUDA shuffles numbers of up to 8 bytes");
  T received;
  Exchange(mask, LinearIndex() % 32 ^ static_cast<unsigned>(lanes), &value, &received, sizeof(T), file, line);
  return received;
}

}  // namespace phi::emulated
