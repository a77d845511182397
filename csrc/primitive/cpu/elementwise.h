// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <utility>

#include "backends/cpu/cpu_context.h"
#include "primitive/cpu/simd.h"
#include "primitive/cpu/strided_loop.h"

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

// A functor over runs of elements. `data` and `strides` are those of the output, then of the inputs.
template <typename F, typename Out, typename... Ins>
struct Runs {
  static constexpr int kInputs = sizeof...(Ins);
  using Indices = std::make_index_sequence<kInputs>;
  using DenseFn = ElementwiseLoop::Fn;

  // Rows of n elements, which are `steps` apart. The output is dense; bit i of kMask: input i advances with it along a
  // row, else it is one value. `stream`: past the caches, where vectors do it; the caller ends the stream.
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
    }(Indices());
  }

  static DenseFn DenseOf(unsigned mask) {
    static constexpr auto kTable = []<size_t... M>(std::index_sequence<M...>) {
      return std::array<DenseFn, sizeof...(M)>{&Dense<M>...};
    }(std::make_index_sequence<(1u << kInputs)>());
    return kTable[mask];
  }

  // What a rectangle is made with; `stream`: past the caches, where its rows are long and dense.
  struct Work {
    const F& functor;
    bool stream;
  };

  // A rectangle of n0 x n1 elements with any strides.
  static void Rectangle(const void* work,
                        char* const* data,
                        const int64_t (*strides)[StridedPlan::kMaxOperands],
                        int64_t n0,
                        int64_t n1) {
    const auto& [f, streams] = *static_cast<const Work*>(work);
    const int mask = DenseMask(strides[0]);
    if (mask >= 0) {
      const bool stream = streams && n0 * static_cast<int64_t>(sizeof(Out)) >= 16 * kLine;
      DenseOf(mask)(&f, data, n0, strides[1], n1, stream);
      if (stream) EndStream();
      return;
    }
    char* row[kInputs + 1];
    for (int64_t j = 0; j < n1; ++j) {
      for (int k = 0; k <= kInputs; ++k) row[k] = data[k] + j * strides[1][k];
      Strided(f, row, strides[0], n0, Indices());
    }
  }

 private:
  template <typename... Operands>
  static void Loop(const F& f, Out* out, int64_t n, [[maybe_unused]] bool stream, Operands... in) {
    if constexpr (UsesSimd<F, Out, Ins...>()) {
      using Pair = SimdPair<ComputeType<Out>>;
      if (n < Pair::kSize) return Apply(f, in.template Chunk<Pair>(0, n)...).Store(out, n);
      // the last elements overlap the last whole pair: computed first, since `out` may be an input
      const int64_t rest = n - Pair::kSize;
      const Pair last = Apply(f, in.template Chunk<Pair>(rest)...);
      int64_t i = 0;
      if (stream) {
        constexpr int64_t kSize = sizeof(Out);
        const int64_t head = ToLine(out, std::min(kLine, Pair::kSize * kSize)) / kSize;
        if (head > 0) Apply(f, in.template Chunk<Pair>(0)...).Store(out);
        for (i = head; i < rest; i += Pair::kSize) Apply(f, in.template Chunk<Pair>(i)...).Stream(out + i);
      }
      for (; i < rest; i += Pair::kSize) Apply(f, in.template Chunk<Pair>(i)...).Store(out + i);
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

  template <typename Pair, typename... Pairs>
  static Pair Apply(const F& f, const Pair& first, const Pairs&... others) {
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

  template <size_t... I>
  static void Strided(const F& f, char* const* data, const int64_t* steps, int64_t n, std::index_sequence<I...>) {
    for (int64_t i = 0; i < n; ++i) {
      *reinterpret_cast<Out*>(data[0] + i * steps[0]) =
          Convert<Out>(f(ToCompute(*reinterpret_cast<const Ins*>(data[I + 1] + i * steps[I + 1]))...));
    }
  }

  // The mask for Dense, or -1.
  static int DenseMask(const int64_t* steps) {
    constexpr int64_t kSizes[] = {sizeof(Ins)...};
    if (steps[0] != sizeof(Out)) return -1;
    int mask = 0;
    for (int k = 0; k < kInputs; ++k) {
      if (steps[k + 1] == kSizes[k]) {
        mask |= 1 << k;
      } else if (steps[k + 1] != 0) {
        return -1;
      }
    }
    return mask;
  }
};

// Whether the elements of both lie in memory in the same order, without holes.
inline bool SameOrder(const DenseTensor& x, const DenseTensor& out) {
  if (x.is_contiguous() && out.is_contiguous()) return true;
  return out.meta().dense && x.dims() == out.dims() && x.strides() == out.strides();
}

template <typename F, typename Out, typename... Ins, typename... Tensors>
void RunElementwise(const CPUContext& dev_ctx, const F& f, DenseTensor* out, const Tensors&... in) {
  using Run = Runs<F, Out, Ins...>;
  const int64_t n = out->numel();
  unsigned mask = 0;
  unsigned bit = 1;
  const auto is_flat = [&](const DenseTensor& x) {
    const int64_t count = x.numel();
    const bool advances = count == n && SameOrder(x, *out);
    mask |= advances ? bit : 0;
    bit <<= 1;
    return advances || count == 1;
  };
  const bool stream = Streams(n, static_cast<const Out*>(out->data()), static_cast<const char*>(in.data())...);
  if (((out->is_contiguous() || out->meta().dense) && ... && is_flat(in))) {
    const auto dense = Run::DenseOf(mask);
    char* const data[] = {static_cast<char*>(out->data()), static_cast<char*>(const_cast<void*>(in.data()))...};
    if (dev_ctx.notes_loops()) dev_ctx.NoteLoop(ElementwiseLoop::Of(dense, f, data));
    constexpr int64_t kSizes[] = {sizeof(Out), sizeof(Ins)...};
    constexpr int64_t kOneRow[Run::kInputs + 1] = {};
    ParallelFor(n, kGrainSize, [&](int64_t begin, int64_t end) {
      char* part[Run::kInputs + 1];
      for (int k = 0; k <= Run::kInputs; ++k) {
        const bool advances = k == 0 || (mask >> (k - 1) & 1);
        part[k] = data[k] + (advances ? begin * kSizes[k] : 0);
      }
      dense(&f, part, end - begin, kOneRow, 1, stream);
      if (stream) EndStream();
    });
  } else {
    if (dev_ctx.notes_loops()) dev_ctx.NoteLoop({});
    const typename Run::Work work{f, stream};
    ForEachRectangle(MakeStridedPlan({out, &in...}), &Run::Rectangle, &work);
  }
}

}  // namespace phi::primitive::detail
