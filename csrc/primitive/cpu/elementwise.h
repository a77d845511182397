// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <utility>

#include "primitive/cpu/elementwise_run.h"
#include "primitive/cpu/elementwise_steps.h"
#include "primitive/cpu/simd.h"

namespace phi::primitive::detail {

// An input along a run of the output: it advances with the output, or is one value.
template <typename T, bool advances>
struct Operand {
  const T* data;
  explicit Operand(const char* p) : data(reinterpret_cast<const T*>(p)) {}
  ComputeType<T> operator[](int64_t i) const {
    if constexpr (std::is_same_v<T, bool>) {
      return reinterpret_cast<const uint8_t*>(data)[i] != 0;  // g++ makes vectors of bytes, but none of bools
    } else {
      return ToCompute(data[i]);
    }
  }
  template <typename Pair>
  Pair Chunk(int64_t i) const {
    return Pair::Load(data + i);
  }
  template <typename Pair>
  Pair Chunk(int64_t i, int64_t n) const {
    return Pair::Load(data + i, n);
  }
};

template <typename T>
struct Operand<T, false> {
  ComputeType<T> value;
  explicit Operand(const char* p) : value(ToCompute(*reinterpret_cast<const T*>(p))) {}
  ComputeType<T> operator[](int64_t) const { return value; }
  template <typename Pair>
  Pair Chunk(int64_t, int64_t = 0) const {
    return {typename Pair::Vec(value), typename Pair::Vec(value)};
  }
};

// The loops of a functor over runs of elements: all that depends on the types. `data` and `steps` are those of the
// output, then of the inputs.
template <typename F, typename Out, typename... Ins>
struct Runs {
  static constexpr int kInputs = sizeof...(Ins);

  // Rows of n elements, which are `steps` apart. The output is dense; bit i of kMask: input i advances with it along a
  // row, else it is one value. `stream`: past the caches, where vectors do it; the caller ends the
  // stream.
  template <unsigned kMask>
  static void Dense(
      const void* functor, char* const* data, int64_t n, const int64_t* steps, int64_t rows, bool stream) {
    const F function = *static_cast<const F*>(functor);  // a copy, which nothing that is written can alias
    [&]<size_t... I>(std::index_sequence<I...>) {
      for (int64_t j = 0; j < rows; ++j) {
        Loop(function,
             reinterpret_cast<Out*>(data[0] + j * steps[0]),
             n,
             stream,
             Operand<Ins, (kMask >> I) & 1>(data[I + 1] + j * steps[I + 1])...);
      }
    }(std::make_index_sequence<kInputs>());
  }

  // One row of n elements with any strides.
  static void Strided(const void* functor, char* const* data, const int64_t* steps, int64_t n) {
    const F f = *static_cast<const F*>(functor);  // copies, which nothing that is written can alias
    [&]<size_t... I>(std::index_sequence<I...>) {
      char* const to = data[0];
      const int64_t step = steps[0];
      const char* const from[] = {data[I + 1]...};
      const int64_t by[] = {steps[I + 1]...};
      for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<Out*>(to + i * step) =
            Convert<Out>(f(ToCompute(*reinterpret_cast<const Ins*>(from[I] + i * by[I]))...));
      }
    }(std::make_index_sequence<kInputs>());
  }

  static constexpr int64_t kSizes[] = {sizeof(Out), sizeof(Ins)...};
  static constexpr auto kDense = []<size_t... M>(std::index_sequence<M...>) {
    return std::array<ElementwiseLoop::Fn, sizeof...(M) + 1>{nullptr, &Dense<M + 1>...};
  }(std::make_index_sequence<(1u << kInputs) - 1>());
  static constexpr ElementwiseRuns kRuns{
      kInputs, kSizes, kDense.data(), &Strided, ElementwiseLoop::BytesOf<F>(), StepsOf<F, Out, Ins...>()};

 private:
  template <typename... Operands>
  static void Loop(const F& f, Out* out, int64_t n, [[maybe_unused]] bool stream, Operands... in) {
    if constexpr (UsesSimd<F, Out, Ins...>()) {
      using Pair = SimdPair<ComputeType<Out>>;
      constexpr int64_t kPairBytes = Pair::kSize * sizeof(Out);
      if (n < Pair::kSize) return ApplyOnce(f, in.template Chunk<Pair>(0, n)...).Store(out, n);
      // the last elements overlap the last whole pair: computed first, since `out` may be an input
      const int64_t rest = n - Pair::kSize;
      const Pair last = ApplyOnce(f, in.template Chunk<Pair>(rest)...);
      int64_t i = 0;
      if (stream) {  // it begins with the first line; what is before is of a pair that it overlaps
        i = ToLine(out, std::min(kLine, kPairBytes)) / static_cast<int64_t>(sizeof(Out));
        if (i > 0) ApplyOnce(f, in.template Chunk<Pair>(0)...).Store(out);
      }
      for (; i < rest; i += Pair::kSize) {  // in a constant step, by which a processor looks ahead
        const Pair made = Apply(f, in.template Chunk<Pair>(i)...);
        stream ? made.Stream(out + i) : made.Store(out + i);
        asm("" : "+r"(stream));  // or the compiler makes two loops of it
      }
      last.Store(out + rest);
    } else if constexpr (UsesSimdMasks<F, Out, Ins...>()) {
      using Pair = SimdPair<std::common_type_t<ComputeType<Ins>...>>;
      int64_t i = 0;
      for (; i + Pair::kSize <= n; i += Pair::kSize) Apply(f, in.template Chunk<Pair>(i)...).StoreMask(out + i);
      for (; i < n; ++i) out[i] = f(in[i]...);
    } else {
#pragma GCC ivdep  // `out` is an input or apart from them
      for (int64_t i = 0; i < n; ++i) out[i] = Convert<Out>(f(in[i]...));
    }
  }

  // Apart from a loop, so that the functor is compiled twice and not for each place. By value: g++ 12 takes it that the
  // functor, where it is not inlined, reads nothing of a reference, and leaves out what the caller stores there.
  template <typename Pair, typename... Pairs>
  [[gnu::noinline]] static Pair ApplyOnce(const F& f, Pair first, Pairs... others) {
    return Apply(f, first, others...);
  }

  template <typename Pair, typename... Pairs>
  static Pair Apply(const F& f, Pair first, Pairs... others) {
    if constexpr (TakesVectors<F, typename Pair::Elements::value_type, Ins...>()) {
      return {f(first.lo, others.lo...), f(first.hi, others.hi...)};
    } else {
      typename Pair::Elements out;
      [&](const auto&... in) {
        for (int64_t i = 0; i < Pair::kSize; ++i) out[i] = f(in[i]...);
      }(first.Spill(), others.Spill()...);
      return Pair::Load(out.data());
    }
  }
};

template <typename F, typename Out, typename... Ins, typename... Tensors>
void RunElementwise(const CPUContext& dev_ctx, const F& f, DenseTensor* out, const Tensors&... in) {
  const DenseTensor* const inputs[] = {&in...};
  RunElementwise(dev_ctx, Runs<F, Out, Ins...>::kRuns, &f, out, inputs);
}

}  // namespace phi::primitive::detail
