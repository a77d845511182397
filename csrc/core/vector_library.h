// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace phi {

// A library of functions of SIMD vectors, SLEEF: torch carries it, and torch's vector classes call it by name. Whoever
// has it says how a function is found; without it each element of a vector is computed by itself.
class VectorLibrary {
 public:
  using Finder = void* (*)(const char* name);

  // The function of this name, null without the library.
  static void* Find(const char* name);
  static void Install(Finder finder) { finder_.store(finder, std::memory_order_release); }

 private:
  static std::atomic<Finder> finder_;
};

}  // namespace phi
