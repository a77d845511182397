// SPDX-License-Identifier: Apache-2.0
#include "backends/emulated/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <new>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace phi::emulated {

namespace {

// AddressSanitizer has to know which stack is in use.
void LeaveStack([[maybe_unused]] void** left, [[maybe_unused]] const void* bottom, [[maybe_unused]] size_t size) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(left, bottom, size);
#endif
}

void EnterStack([[maybe_unused]] void* entered, [[maybe_unused]] const void** bottom, [[maybe_unused]] size_t* size) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(entered, bottom, size);
#endif
}

}  // namespace

Fiber::Fiber(void (*body)(void*), void* argument) : body_(body), argument_(argument) {
  stack_ =
      mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack_ == MAP_FAILED) throw std::bad_alloc();
  mprotect(stack_, static_cast<size_t>(getpagesize()), PROT_NONE);  // where it would overflow
}

Fiber::~Fiber() { munmap(stack_, kStack); }

void Fiber::Resume() {
  void* left = nullptr;
  if (_setjmp(outside_) == 0) {
    LeaveStack(&left, stack_, kStack);
    if (started_) _longjmp(inside_, 1);
    First();
  }
  EnterStack(left, nullptr, nullptr);
}

// The C library enters a new stack; afterwards jumps are quicker, since they leave the signals alone. Nobody returns
// from here, which would leave the borders that AddressSanitizer draws around variables on the stack.
__attribute__((no_sanitize_address)) void Fiber::First() {
  started_ = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = stack_;
  context.uc_stack.ss_size = kStack;
  context.uc_link = nullptr;
  const auto self = reinterpret_cast<uintptr_t>(this);
  makecontext(&context,
              reinterpret_cast<void (*)()>(&Fiber::Start),
              2,
              static_cast<unsigned>(self >> 32),
              static_cast<unsigned>(self));
  setcontext(&context);
}

void Fiber::Start(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<Fiber*>(uintptr_t{high} << 32 | low);
  EnterStack(nullptr, &self->outer_bottom_, &self->outer_size_);
  self->body_(self->argument_);
}

void Fiber::Wait() {
  void* left = nullptr;
  if (_setjmp(inside_) == 0) {
    LeaveStack(&left, outer_bottom_, outer_size_);
    _longjmp(outside_, 1);
  }
  EnterStack(left, &outer_bottom_, &outer_size_);
}

}  // namespace phi::emulated
