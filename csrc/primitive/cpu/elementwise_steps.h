// SPDX-License-Identifier: Apache-2.0
// Functors as steps of a chain: each works on some vectors in registers, and jumps to the next one.
#pragma once

#include <array>
#include <utility>

#include "backends/cpu/elementwise_loop.h"
#include "primitive/cpu/simd.h"

namespace phi::primitive::detail {

// The bytes of each operand that a step takes. More lines of one operand after another take 1.3 times as long where
// they come from memory, as a processor looks ahead by the steps of each load.
inline constexpr int64_t kStepBytes = 2 * kLine;

template <typename T>
using StepVectors = std::make_index_sequence<kStepBytes / sizeof(at::vec::Vectorized<T>)>;

// The steps of numbers of type T that no functor decides.
template <typename T, typename = StepVectors<T>>
struct Steps;

template <typename T, size_t... I>
struct Steps<T, std::index_sequence<I...>> {
  using Vec = at::vec::Vectorized<T>;
  template <size_t>
  using Each = Vec;
  using Fn = void (*)(const ElementwiseStep* step, int64_t at, Each<I>... v);
  static constexpr int64_t kSize = kStepBytes / static_cast<int64_t>(sizeof(T));

  static void Next(const ElementwiseStep* step, int64_t at, Each<I>... v) {
    return reinterpret_cast<Fn>(step[1].run)(step + 1, at, v...);
  }

  static Vec Load(const T* data, int64_t vector) { return Loaded(Vec::loadu(data + vector * Vec::size())); }

  static void Run(const ElementwiseStep* steps, int64_t n) {
    for (int64_t at = 0; at < n; at += kSize) {
      const T* data = reinterpret_cast<const T*>(steps->data) + at;
      Next(steps, at, Load(data, I)...);
    }
  }

  static void Store(const ElementwiseStep* step, int64_t at, Each<I>... v) {
    T* const data = reinterpret_cast<T*>(step->data) + at;
    (v.store(data + I * Vec::size()), ...);
  }

  static void Stream(const ElementwiseStep* step, int64_t at, Each<I>... v) {
    T* const data = reinterpret_cast<T*>(step->data) + at;
    (StreamVector(v, data + I * Vec::size()), ...);
  }

  static constexpr Fn kStore = &Store;
  static constexpr Fn kStream = &Stream;
};

// The steps of a functor of one or two inputs.
template <typename F, typename T, int kInputs, typename = StepVectors<T>>
struct FunctorSteps;

template <typename F, typename T, int kInputs, size_t... I>
struct FunctorSteps<F, T, kInputs, std::index_sequence<I...>> : Steps<T> {
  using typename Steps<T>::Vec;
  using typename Steps<T>::Fn;
  using Steps<T>::Next;
  using Steps<T>::Load;
  template <size_t>
  using Each = Vec;

  // Bit i of kInRegisters: the vectors are input i. The other one is in memory, and `kAdvances`, or is one value.
  template <unsigned kInRegisters, bool kAdvances>
  static void Step(const ElementwiseStep* step, int64_t at, Each<I>... v) {
    const F f = *static_cast<const F*>(step->functor);
    const T* const data = reinterpret_cast<const T*>(step->data);
    const auto apply = [&](Vec x, int64_t vector) -> Vec {
      if constexpr (kInputs == 1) {
        return f(x);
      } else if constexpr (kInRegisters == 3) {
        return f(x, x);
      } else {
        const Vec other = kAdvances ? Load(data + at, vector) : Vec(*data);
        return kInRegisters == 1 ? f(x, other) : f(other, x);
      }
    };
    return Next(step, at, apply(v, I)...);
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
