// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/cpu/reduce.h"

// Indices of maxima and minima on the CPU. Work is cut into chunks by the shape alone.
namespace phi::primitive::detail {

template <class Op>
struct ArgBest {
  typename Op::Acc value;
  int64_t index;

  // `o` comes after this
  void Add(const ArgBest& o) {
    if (Op::Better(o.value, value)) *this = o;
  }
};

template <class Op, typename T>
class CpuArgReducer {
 public:
  using Acc = typename Op::Acc;
  using Best = ArgBest<Op>;
  static constexpr int64_t kTile = 512;                  // columns that are worked on together
  static constexpr int64_t kMaxRows = int64_t(1) << 30;  // of a column in one call

  // Of n neighbours: the best of each block, then the first element that is as good in the best of them.
  static Best Run(const T* x, int64_t n) {
    constexpr int64_t kBlock = 1024;
    ReducePlan plan;  // not looked at
    const CpuReducer<Op, T, ToAcc<Acc>> reducer(plan, {});
    Acc best = Op::Init();
    int64_t block = 0;
    for (int64_t begin = 0; begin < n; begin += kBlock) {
      const Acc value = reducer.Run(x + begin, std::min(kBlock, n - begin));
      if (!Op::Better(value, best)) continue;
      best = value;
      block = begin;
    }
    return {best, block + Find(x + block, n - block, best)};
  }

  // Of `width` <= kTile columns, into best[width]; `rows` are `stride` apart, and the first one is row `first` of all.
  static void Columns(const T* x, int64_t rows, int64_t stride, int64_t width, int64_t first, Best* best) {
    using Index = std::conditional_t<sizeof(Acc) == 8, int64_t, int32_t>;  // as many lanes as Acc
    Acc values[kTile];
    Index indices[kTile];
    for (int64_t i = 0; i < width; ++i) {
      values[i] = One(x[i]);
      indices[i] = 0;
    }
    for (int64_t row = 1; row < rows; ++row) {
      const T* from = x + row * stride;
      for (int64_t i = 0; i < width; ++i) {
        const Acc value = One(from[i]);
        const bool better = Op::Better(value, values[i]);
        values[i] = better ? value : values[i];
        indices[i] = better ? static_cast<Index>(row) : indices[i];
      }
    }
    for (int64_t i = 0; i < width; ++i) best[i] = {values[i], first + indices[i]};
  }

 private:
  static Acc One(T x) { return Convert<Acc>(ToCompute(x)); }

  static int64_t Find(const T* x, int64_t n, Acc best) {
    constexpr int64_t kStep = 32;
    const auto same = [best](T v) { return (One(v) == best) | ((best != best) & (One(v) != One(v))); };
    const auto any = [&](const T* from) {
      int found = 0;
      for (int64_t i = 0; i < kStep; ++i) found |= same(from[i]);
      return found != 0;
    };
    int64_t i = 0;
    while (i + kStep <= n && !any(x + i)) i += kStep;
    while (!same(x[i])) ++i;
    return i;
  }
};

template <class Op, typename T, typename OutT>
void ArgReduceAxis(const CPUContext&, const AxisShape& shape, const T* x, OutT* out) {
  using Reducer = CpuArgReducer<Op, T>;
  using Best = ArgBest<Op>;
  const int64_t tile = std::min(shape.inner, Reducer::kTile);
  const int64_t tiles = CeilDiv(shape.inner, tile);
  const int64_t most_rows = shape.inner == 1 ? shape.dim : Reducer::kMaxRows;
  const CpuChunks wanted(shape.outer * tiles, shape.dim, tile);
  const int64_t chunk = std::min(wanted.size, most_rows);
  const int64_t chunks = CeilDiv(shape.dim, chunk);
  const int64_t outputs = shape.outer * shape.inner;
  const std::unique_ptr<Best[]> partials(chunks > 1 ? new Best[chunks * outputs] : nullptr);  // [chunks, outputs]

  const int64_t grain = std::max<int64_t>(1, kChunk / (chunk * tile));
  ParallelFor(shape.outer * tiles * chunks, grain, [&](int64_t task, int64_t end_task) {
    for (Best best[Reducer::kTile]; task < end_task; ++task) {
      const int64_t at_chunk = task % chunks;
      const int64_t outer = task / chunks / tiles;
      const int64_t column = task / chunks % tiles * tile;
      const int64_t begin = at_chunk * chunk;
      const int64_t rows = std::min(chunk, shape.dim - begin);
      const int64_t width = std::min(tile, shape.inner - column);
      const T* from = x + (outer * shape.dim + begin) * shape.inner + column;
      const int64_t to = outer * shape.inner + column;
      if (shape.inner == 1) {
        best[0] = Reducer::Run(from, rows);
        best[0].index += begin;
      } else {
        Reducer::Columns(from, rows, shape.inner, width, begin, best);
      }
      if (partials) {
        std::copy_n(best, width, partials.get() + at_chunk * outputs + to);
      } else {
        for (int64_t i = 0; i < width; ++i) out[to + i] = static_cast<OutT>(best[i].index);
      }
    }
  });
  if (!partials) return;
  for (int64_t i = 0; i < outputs; ++i) {
    Best best = partials[i];
    for (int64_t k = 1; k < chunks; ++k) best.Add(partials[k * outputs + i]);
    out[i] = static_cast<OutT>(best.index);
  }
}

}  // namespace phi::primitive::detail
