// SPDX-License-Identifier: Apache-2.0
// Functors as steps of a chain: each works on four vectors in registers, and jumps to the next one.
#pragma once

#include <array>

#include "backends/cpu/elementwise_loop.h"
#include "primitive/cpu/simd.h"

namespace phi::primitive::detail {

// The steps of numbers of type T that no functor decides.
template <typename T>
struct Steps {
  using Vec = typename SimdPair<T>::Vec;
  using Fn = void (*)(const ElementwiseStep* step, int64_t at, Vec a, Vec b, Vec c, Vec d);
  static constexpr int64_t kSize = 4 * Vec::size();

  static void Next(const ElementwiseStep* step, int64_t at, Vec a, Vec b, Vec c, Vec d) {
    return (*static_cast<const Fn*>(step[1].run))(step + 1, at, a, b, c, d);
  }

  static Vec Load(const T* data, int64_t vector) { return Loaded(Vec::loadu(data + vector * Vec::size())); }

  static void Run(const ElementwiseStep* steps, int64_t n) {
    for (int64_t at = 0; at < n; at += kSize) {
      const T* data = reinterpret_cast<const T*>(steps->data) + at;
      Next(steps, at, Load(data, 0), Load(data, 1), Load(data, 2), Load(data, 3));
    }
  }

  static void Store(const ElementwiseStep* step, int64_t at, Vec a, Vec b, Vec c, Vec d) {
    T* const data = reinterpret_cast<T*>(step->data) + at;
    SimdPair<T>{a, b}.Store(data);
    SimdPair<T>{c, d}.Store(data + kSize / 2);
  }

  static void Stream(const ElementwiseStep* step, int64_t at, Vec a, Vec b, Vec c, Vec d) {
    T* const data = reinterpret_cast<T*>(step->data) + at;
    SimdPair<T>{a, b}.Stream(data);
    SimdPair<T>{c, d}.Stream(data + kSize / 2);
  }

  static constexpr Fn kStore = &Store;
  static constexpr Fn kStream = &Stream;
};

// The steps of a functor of one or two inputs.
template <typename F, typename T, int kInputs>
struct FunctorSteps : Steps<T> {
  using typename Steps<T>::Vec;
  using typename Steps<T>::Fn;
  using Steps<T>::Next;
  using Steps<T>::Load;

  // Bit i of kInRegisters: the vectors are input i. The other one is in memory, and `kAdvances`, or is one value.
  template <unsigned kInRegisters, bool kAdvances>
  static void Step(const ElementwiseStep* step, int64_t at, Vec a, Vec b, Vec c, Vec d) {
    const F f = *static_cast<const F*>(step->functor);
    const T* const data = reinterpret_cast<const T*>(step->data);
    const auto apply = [&](Vec v, int64_t vector) -> Vec {
      if constexpr (kInputs == 1) {
        return f(v);
      } else if constexpr (kInRegisters == 3) {
        return f(v, v);
      } else {
        const Vec other = kAdvances ? Load(data + at, vector) : Vec(*data);
        return kInRegisters == 1 ? f(v, other) : f(other, v);
      }
    };
    return Next(step, at, apply(a, 0), apply(b, 1), apply(c, 2), apply(d, 3));
  }

  template <unsigned kInRegisters, bool kAdvances>
  static constexpr Fn kStep = &Step<kInRegisters, kAdvances>;

  static constexpr auto kTable = [] {
    ElementwiseSteps::Table table{};
    table[1] = {&kStep<1, true>, &kStep<1, true>};
    if constexpr (kInputs == 2) {
      table[1] = {&kStep<1, false>, &kStep<1, true>};
      table[2] = {&kStep<2, false>, &kStep<2, true>};
      table[3] = {&kStep<3, true>, &kStep<3, true>};
    }
    return table;
  }();
  static constexpr ElementwiseSteps kSteps{
      Steps<T>::kSize, &Steps<T>::Run, &Steps<T>::kStore, &Steps<T>::kStream, kTable};
};

// Without SIMD registers vectors are arrays, which calls pass in memory.
#if defined(CPU_CAPABILITY_AVX2) || defined(CPU_CAPABILITY_AVX512)
inline constexpr bool kPassesRegisters = true;
#else
inline constexpr bool kPassesRegisters = false;
#endif

// Those of a functor that takes vectors of what it makes; nothing for others.
template <typename F, typename Out, typename... Ins>
constexpr const ElementwiseSteps* StepsOf() {
  constexpr int kInputs = sizeof...(Ins);
  if constexpr (kPassesRegisters && kInputs <= 2 && (std::is_same_v<Out, Ins> && ...) &&
                TakesVectors<F, Out, Ins...>()) {
    return &FunctorSteps<F, Out, kInputs>::kSteps;
  } else {
    return nullptr;
  }
}

}  // namespace phi::primitive::detail
