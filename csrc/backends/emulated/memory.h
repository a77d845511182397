// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace phi::emulated {

inline constexpr int kHost = -1;  // in the place of a device

// A block of memory that ends at a page without access; the few bytes between the two, which keep the alignment that
// vector loads need, are checked when it is freed. It is full of kPattern. What reads or writes where it must not ends
// the process, with a line that says which block it was.
void* Allocate(int device, size_t size);
void Free(void* data);

// While there is one, a kernel runs on a device, or a copy: its memory can be touched. At other times it cannot.
class Access {
 public:
  explicit Access(int device);
  ~Access();
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

 private:
  int device_;
};

// To the memory of all devices, for a copy.
class AccessToAll {
  Access first_{0};
  Access second_{1};
};

}  // namespace phi::emulated
