// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace phi {

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

  template <typename F, size_t n>
  static ElementwiseLoop Of(Fn run, const F& f, char* const (&data)[n]) {
    static_assert(n <= kMaxOperands);
    ElementwiseLoop loop;
    if constexpr (std::is_trivially_copyable_v<F> && sizeof(F) <= kFunctorBytes &&
                  alignof(F) <= alignof(std::max_align_t)) {
      loop.run = run;
      std::memcpy(loop.functor.data(), &f, sizeof(F));
      std::copy_n(data, n, loop.data.begin());
      loop.operands = n;
    }
    return loop;
  }
};

}  // namespace phi
