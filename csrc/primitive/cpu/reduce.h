// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_context.h"
#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/cpu/lanes.h"
#include "primitive/cpu/simd.h"
#include "primitive/reduce_ops.h"
#include "primitive/reduce_plan.h"

// Reductions on the CPU. Sums are accurate because each running value takes only some hundred elements: blocks are
// reduced in many lanes, and their results combined pairwise, up to the last one. Work is cut into chunks by the shape
// alone, so that results do not depend on the number of threads.
namespace phi::primitive::detail {

template <class Op, typename T, class Transform>
class CpuReducer {
 public:
  using Acc = typename Op::Acc;
  // kept neighbours that are reduced together: whole rows, unless they are long
  static constexpr int64_t kTile = 16384 / sizeof(Acc);
  static constexpr int64_t kTogether = 8;  // short runs that are reduced together
  static constexpr int64_t kLeaf = 4096;   // elements that one running value of each lane takes

  CpuReducer(const ReducePlan& plan, Transform transform)
      : plan_(plan),
        transform_(transform),
        leaf_(plan.reduced == 1 ? kLeaf : std::clamp<int64_t>(kLeafRows * plan.inner, 1, kLeaf)) {}

  // The elements [begin, end) of one output's reduced elements. For plans whose run is reduced.
  [[gnu::noinline]] Acc Elements(const T* x, int64_t begin, int64_t end) const {
    if (end - begin > leaf_) {
      const int64_t middle = begin + CeilDiv(end - begin, 2 * leaf_) * leaf_;
      const Acc first = Elements(x, begin, middle);
      return Op::Combine(first, Elements(x, middle, end));
    }
    if (plan_.reduced == 1) return Run(x + begin, end - begin);
    Acc acc = Op::Init();
    while (begin < end) {
      const int64_t at = begin % plan_.inner;
      const int64_t n = std::min(plan_.inner - at, end - begin);
      acc = Op::Combine(acc, Run(x + plan_.reduced_index.Offset(begin / plan_.inner) + at, n));
      begin += n;
    }
    return acc;
  }

  // n neighbours
  Acc Run(const T* x, int64_t n) const {
    if (n < kWidth) {
      Acc acc = Op::Init();
      for (int64_t i = 0; i < n; ++i) acc = Op::Combine(acc, One(x[i]));
      return acc;
    }
    V a = FillLanes(Op::Init()), b = a, c = a, d = a;
    int64_t i = 0;
    for (; i + 4 * kWidth <= n; i += 4 * kWidth) {
      Prefetch(x + i);
      a = Combine(a, Load(x + i));
      b = Combine(b, Load(x + i + kWidth));
      c = Combine(c, Load(x + i + 2 * kWidth));
      d = Combine(d, Load(x + i + 3 * kWidth));
    }
    for (; i + kWidth <= n; i += kWidth) a = Combine(a, Load(x + i));
    a = Combine(Combine(a, b), Combine(c, d));
    if constexpr (kHasVector<Acc>) {
      // what is left: the last lanes of the last vector, of which the others were taken already
      if (i < n) a = Combine(a, KeepLanes(Load(x + n - kWidth), static_cast<int>(kWidth - (n - i))));
      return Fold(a);
    } else {
      for (; i < n; ++i) a[0] = Op::Combine(a[0], One(x[i]));
      for (int k = 1; k < kWidth; ++k) a[0] = Op::Combine(a[0], a[k]);
      return a[0];
    }
  }

  // kTogether runs of n neighbours that follow each other, into acc.
  void ShortRuns(const T* x, int64_t n, Acc* acc) const {
    for (int k = 0; k < kTogether; ++k) acc[k] = Op::Init();
    for (int64_t i = 0; i < n; ++i) {
      for (int k = 0; k < kTogether; ++k) acc[k] = Op::Combine(acc[k], One(x[k * n + i]));
    }
  }

  // The rows [begin, end) of `width` <= kTile kept neighbours, into acc[width]. For plans whose run is kept.
  [[gnu::noinline]] void Rows(const T* x, int64_t begin, int64_t end, int64_t width, Acc* acc) const {
    const int64_t fold = kFoldTo / width;
    // narrow rows that follow each other in memory: `fold` of them count as one
    if (fold > 1 && plan_.reduced_index.rank == 1 && end - begin >= fold) {
      const int64_t wide_rows = (end - begin) / fold;
      const int64_t wide = fold * width;
      Acc wide_acc[kFoldTo];
      RowsAt(x + begin * width, EachAfter(wide), 0, wide_rows, wide, wide_acc);
      RowsAt(x, EachAfter(width), begin + wide_rows * fold, end, width, acc);
      CombineRows(wide_acc, fold, width);
      CombineRow(acc, wide_acc, width);
    } else {
      RowsAt(x, plan_.reduced_index, begin, end, width, acc);
    }
  }

  static void CombineRow(Acc* acc, const Acc* other, int64_t width) {
    for (int64_t i = 0; i < width; ++i) acc[i] = Op::Combine(acc[i], other[i]);
  }

  // `count` rows that follow each other into the first one, pairwise.
  static void CombineRows(Acc* rows, int64_t count, int64_t width) {
    while (count > 1) {
      const int64_t half = (count + 1) / 2;
      CombineRow(rows, rows + half * width, (count - half) * width);
      count = half;
    }
  }

 private:
  using V = Lanes<Acc>;
  static constexpr int kWidth = kLanes<Acc>;
  static constexpr int64_t kLeafRows = 128;
  static constexpr int64_t kFoldTo = 256;

  Acc One(T x) const { return Convert<Acc>(transform_(ToCompute(x))); }

  static constexpr bool UsesSimdTransform() { return TakesVectors<Transform, Acc, T>() && kIsVectorized<Acc>; }

  V Load(const T* x) const {
    if constexpr (std::is_same_v<Transform, ToAcc<Acc>> && !std::is_same_v<Acc, bool>) {
      return LoadLanes<Acc>(x);
    } else if constexpr (UsesSimdTransform()) {
      const V loaded = LoadLanes<Acc>(x);
      const auto v = transform_(at::vec::Vectorized<Acc>::loadu(&loaded));
      V out;
      v.store(&out);
      return out;
    } else {
      V v;
      for (int i = 0; i < kWidth; ++i) v[i] = One(x[i]);
      return v;
    }
  }

  static V Combine(const V& a, const V& b) {
    if constexpr (kHasVector<Acc>) {
      return Op::Combine(a, b);
    } else {
      V v;
      for (int i = 0; i < kWidth; ++i) v[i] = Op::Combine(a[i], b[i]);
      return v;
    }
  }

  // The lanes from `first` on; the neutral value in those before.
  static V KeepLanes(const V& v, int first) {
    V index;
    for (int i = 0; i < kWidth; ++i) index[i] = static_cast<Acc>(i);
    return index >= FillLanes(static_cast<Acc>(first)) ? v : FillLanes(Op::Init());
  }

  // All lanes in one value.
  template <class Vector>
  static Acc Fold(const Vector& v) {
    constexpr int kHalf = sizeof(Vector) / sizeof(Acc) / 2;
    if constexpr (kHalf == 0) {
      return v[0];
    } else {
      return [&]<int... I>(std::integer_sequence<int, I...>) {
        return Fold(Op::Combine(__builtin_shufflevector(v, v, I...), __builtin_shufflevector(v, v, (I + kHalf)...)));
      }(std::make_integer_sequence<int, kHalf>());
    }
  }

  // What a step of Run reads some steps later: the processor's own prefetching ends with each page.
  static void Prefetch(const T* x) {
    constexpr size_t kAhead = 4096;
    for (size_t at = 0; at < 4 * kWidth * sizeof(T); at += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(x) + kAhead + at);
    }
  }

  // The index of rows `stride` apart.
  static DimIndexer EachAfter(int64_t stride) {
    DimIndexer index;
    index.Append(0, stride);
    return index;
  }

  void RowsAt(const T* x, const DimIndexer& index, int64_t begin, int64_t end, int64_t width, Acc* acc) const {
    if (end - begin > kLeafRows) {
      const int64_t middle = begin + (end - begin) / 2;
      Acc second[kTile];
      RowsAt(x, index, begin, middle, width, acc);
      RowsAt(x, index, middle, end, width, second);
      return CombineRow(acc, second, width);
    }
    std::fill_n(acc, width, Op::Init());
    int64_t row = begin;
    for (; row + 4 <= end; row += 4) {
      const T* a = x + index.Offset(row);
      const T* b = x + index.Offset(row + 1);
      const T* c = x + index.Offset(row + 2);
      const T* d = x + index.Offset(row + 3);
      int64_t i = 0;
      for (; i + kWidth <= width; i += kWidth) {
        const V four = Combine(Combine(Load(a + i), Load(b + i)), Combine(Load(c + i), Load(d + i)));
        StoreLanes<Acc>(Combine(LoadLanes<Acc>(acc + i), four), acc + i);
      }
      for (; i < width; ++i) {
        const Acc four = Op::Combine(Op::Combine(One(a[i]), One(b[i])), Op::Combine(One(c[i]), One(d[i])));
        acc[i] = Op::Combine(acc[i], four);
      }
    }
    for (; row < end; ++row) {
      const T* a = x + index.Offset(row);
      for (int64_t i = 0; i < width; ++i) acc[i] = Op::Combine(acc[i], One(a[i]));
    }
  }

  const ReducePlan& plan_;
  Transform transform_;
  const int64_t leaf_;  // elements that are not cut further
};

constexpr int64_t kChunk = 32768;  // elements that are worth a thread

// How the elements (or rows) of each output are cut into chunks; the chunks' results wait in `partials`.
struct CpuChunks {
  int64_t number = 1;
  int64_t size;

  CpuChunks(int64_t tasks, int64_t count, int64_t elements_per_count) : size(count) {
    constexpr int64_t kMaxTasks = 64;
    if (tasks < 1 || tasks >= kMaxTasks) return;
    number = std::clamp<int64_t>(count * elements_per_count / kChunk, 1, std::max<int64_t>(1, kMaxTasks / tasks));
    size = CeilDiv(count, number);
  }
};

template <class Op, typename T, typename OutT, class Transform>
void ReduceByPlan(const CPUContext& dev_ctx, const ReducePlan& plan, const T* x, OutT* out, Transform transform) {
  using Reducer = CpuReducer<Op, T, Transform>;
  using Acc = typename Op::Acc;
  const Reducer reducer(plan, transform);
  const int64_t outputs = plan.outputs();
  const int64_t count = plan.count();
  const int64_t tile = plan.inner_reduced ? 1 : std::min(plan.inner, Reducer::kTile);
  const int64_t tiles = plan.inner_reduced ? 1 : CeilDiv(plan.inner, tile);
  const CpuChunks chunks(plan.kept * tiles, count, tile);
  const int64_t grain = std::max<int64_t>(1, kChunk / std::max<int64_t>(1, chunks.size * tile));
  const auto finish = [=](Acc acc) { return Convert<OutT>(Op::Finish(acc, count)); };

  if (chunks.number == 1 && plan.inner_reduced) {
    // the runs of neighbouring outputs follow each other in memory
    const bool runs = plan.reduced == 1 && plan.inner <= Reducer::kLeaf;
    const int64_t n = plan.inner;
    ParallelFor(outputs, grain, [&](int64_t i, int64_t end) {
      for (Acc acc[Reducer::kTogether]; n < kLanes<Acc> && runs && i + Reducer::kTogether <= end;
           i += Reducer::kTogether) {
        reducer.ShortRuns(x + i * n, n, acc);
        for (int k = 0; k < Reducer::kTogether; ++k) out[i + k] = finish(acc[k]);
      }
      for (; runs && i < end; ++i) out[i] = finish(reducer.Run(x + i * n, n));
      for (; i < end; ++i) out[i] = finish(reducer.Elements(x + plan.kept_index.Offset(i), 0, count));
    });
    return;
  }

  DenseTensor partial_tensor;  // [chunks, outputs]
  Acc* partials = nullptr;
  if (chunks.number > 1) {
    partial_tensor.Resize({chunks.number, outputs});
    partials = dev_ctx.Alloc<Acc>(&partial_tensor);
  }
  ParallelFor(plan.kept * tiles * chunks.number, grain, [&](int64_t task, int64_t end_task) {
    for (Acc acc[Reducer::kTile]; task < end_task; ++task) {
      const int64_t chunk = task % chunks.number;
      const int64_t kept = task / chunks.number / tiles;
      const int64_t column = task / chunks.number % tiles * tile;
      const int64_t begin = std::min(chunk * chunks.size, count);
      const int64_t end = std::min(begin + chunks.size, count);
      const int64_t width = std::min(tile, plan.inner - column);
      const int64_t to = plan.inner_reduced ? kept : kept * plan.inner + column;
      const T* from = x + plan.kept_index.Offset(kept) + column;
      if (plan.inner_reduced) {
        acc[0] = reducer.Elements(from, begin, end);
      } else {
        reducer.Rows(from, begin, end, width, acc);
      }
      if (partials) {
        std::copy_n(acc, width, partials + chunk * outputs + to);
      } else {
        std::transform(acc, acc + width, out + to, finish);
      }
    }
  });
  if (!partials) return;
  Reducer::CombineRows(partials, chunks.number, outputs);
  std::transform(partials, partials + outputs, out, finish);
}

}  // namespace phi::primitive::detail
