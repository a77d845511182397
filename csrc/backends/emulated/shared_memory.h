// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace phi::emulated {

inline constexpr uint8_t kPattern = 0xFF;  // of memory that nobody has written: NaN, -1

// The __shared__ variables of all kernels, which are the thread_local ones of this library.
class SharedMemory {
 public:
  // Fills all of it with the pattern, as before a block runs.
  void Fill();
  // The number of bytes that do not hold the pattern.
  size_t Used() const;

 private:
  void Find();

  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  uintptr_t thread_ = 0;  // of the process, whose variables these are
};

}  // namespace phi::emulated
