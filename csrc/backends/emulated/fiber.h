// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <cstddef>

namespace phi::emulated {

// A stack of its own for a function that waits in its midst.
class Fiber {
 public:
  // `body` gets `argument`, and never returns.
  Fiber(void (*body)(void*), void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs the body from where it last waited until it waits again.
  void Resume();
  // For the body: returns to whoever resumed it.
  void Wait();

 private:
  static constexpr size_t kStack = 256 << 10;  // of addresses; memory is taken as it is touched

  static void Start(unsigned high, unsigned low);
  void First();

  void (*body_)(void*);
  void* argument_;
  void* stack_;
  bool started_ = false;
  jmp_buf inside_;
  jmp_buf outside_;
  // of the stack that resumed it, for AddressSanitizer
  const void* outer_bottom_ = nullptr;
  size_t outer_size_ = 0;
};

}  // namespace phi::emulated
