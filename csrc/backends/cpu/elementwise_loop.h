// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace phi {

// A functor that works on vectors in registers, and then jumps to the next step.
struct ElementwiseStep {
  using Fn = void (*)();  // of a type that its functor's vectors decide

  Fn run = nullptr;
  const void* functor = nullptr;
  char* data = nullptr;  // the operand in memory, if there is one
};

// A loop's functor as steps. Loops whose `run` is the same make one chain: their steps work on the same vectors.
struct ElementwiseSteps {
  // Where a function is in memory: no constant expression converts its type.
  using Address = const void*;
  // By the inputs that are in registers, as bits, and by whether the other one advances.
  using Table = std::array<std::array<Address, 2>, 4>;

  static ElementwiseStep::Fn At(Address address) {
    ElementwiseStep::Fn run;
    std::memcpy(&run, address, sizeof(run));
    return run;
  }

  int64_t size;  // elements that are in registers at once
  // n elements, a multiple of `size`. The first step has only data, of which the vectors are loaded.
  void (*run)(const ElementwiseStep* steps, int64_t n);
  Address store;   // the last step
  Address stream;  // the same past the caches, to where a line begins
  Table functor;
};

// The loop of an elementwise kernel without the kernel around it, which any number of calls run on memory of the same
// types.
struct ElementwiseLoop {
  static constexpr int kMaxOperands = 8;
  static constexpr size_t kFunctorBytes = 64;
  // Rows of n elements, which are `steps` apart. `data` is that of the output, then of the inputs. `stream`: past the
  // caches.
  using Fn =
      void (*)(const void* functor, char* const* data, int64_t n, const int64_t* steps, int64_t rows, bool stream);

  Fn run = nullptr;  // null: a loop that serves the kernel alone
  alignas(std::max_align_t) std::array<std::byte, kFunctorBytes> functor;
  std::array<char*, kMaxOperands> data;  // where the kernel read and wrote
  int operands = 0;
  unsigned advances = 0;                    // the inputs that advance with the output, as bits
  const ElementwiseSteps* steps = nullptr;  // if its functor can be a step of a chain

  // Of a functor that can be noted, else 0.
  template <typename F>
  static constexpr size_t BytesOf() {
    constexpr bool fits = sizeof(F) <= kFunctorBytes && alignof(F) <= alignof(std::max_align_t);
    return std::is_trivially_copyable_v<F> && fits ? sizeof(F) : 0;
  }

  static ElementwiseLoop Of(Fn run, const void* functor, size_t bytes, std::span<char* const> data) {
    ElementwiseLoop loop;
    if (bytes == 0) return loop;
    loop.run = run;
    std::memcpy(loop.functor.data(), functor, bytes);
    std::copy(data.begin(), data.end(), loop.data.begin());
    loop.operands = static_cast<int>(data.size());
    return loop;
  }
};

}  // namespace phi
