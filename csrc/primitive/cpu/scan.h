// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backends/cpu/cpu_context.h"
#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/cpu/lanes.h"
#include "primitive/loop/axis_shape.h"
#include "primitive/loop/scan_type.h"
#include "primitive/loop/vec_loop.h"
#include "primitive/scan_options.h"

// Cumulative sums on the CPU. An axis is cut into chunks by the shape alone. Each chunk is summed from 0 on, and the
// sum of those before is added to its results; so chunks may run one after the other, or in parallel once all their
// totals are known, and give the same.
namespace phi::primitive::detail {

template <typename T>
class CpuScanner {
 public:
  using Acc = ScanType<T>;
  static constexpr int64_t kTile = 4096;  // columns that are worked on together

  explicit CpuScanner(const ScanOptions& options) : options_(options) {}

  // n neighbours that follow those whose sum is `base`. Returns their own sum; writes nothing if `out` is null.
  Acc Row(const T* x, int64_t n, Acc base, T* out) const {
    if (options_.reverse)
      return options_.exclusive ? RowOf<true, true>(x, n, base, out) : RowOf<true, false>(x, n, base, out);
    return options_.exclusive ? RowOf<false, true>(x, n, base, out) : RowOf<false, false>(x, n, base, out);
  }

  // The same for `width` <= kTile columns, of which `base` and `sums` have one value each. `stream`: past the caches.
  void Columns(
      const T* x, int64_t rows, int64_t stride, int64_t width, const Acc* base, Acc* sums, T* out, bool stream) const {
    std::fill_n(sums, width, Acc(0));
    const int64_t step = options_.reverse ? -stride : stride;
    int64_t at = options_.reverse ? (rows - 1) * stride : 0;
    for (int64_t i = 0; i < rows; ++i, at += step) {
      // pieces begin where lines of `out` do; meanwhile the next row is on its way
      int64_t size = kPiece - (stream ? (kLine - ToLine(out + at)) % kLine / static_cast<int64_t>(sizeof(T)) : 0);
      for (int64_t k = 0; k < width; k += size, size = kPiece) {
        size = std::min(size, width - k);
        if (i + 1 < rows) Prefetch(size, x + at + step + k);
        if (out == nullptr) {
          AddRow(x + at + k, size, sums + k);
        } else if (stream) {
          T results[kPiece];
          ColumnsPiece(x + at + k, size, base ? base + k : nullptr, sums + k, results);
          StreamBytes(out + at + k, results, size * sizeof(T));
        } else {
          ColumnsPiece(x + at + k, size, base ? base + k : nullptr, sums + k, out + at + k);
        }
      }
    }
    if (stream) EndStream();
  }

 private:
  using V = Lanes<Acc>;
  static constexpr int kWidth = kLanes<Acc>;
  static constexpr int64_t kBlock = 512;
  static constexpr int64_t kPiece = 256;

  template <bool reverse, bool exclusive>
  Acc RowOf(const T* x, int64_t n, Acc base, T* out) const {
    Acc carry(0);
    Acc sums[kBlock];
    for (int64_t done = 0; done < n; done += kBlock) {
      const int64_t size = std::min(kBlock, n - done);
      const int64_t at = reverse ? n - done - size : done;
      BlockOf<reverse, exclusive>(x + at, size, base, &carry, sums);
      if (out) Store(sums, size, out + at);
    }
    return carry;
  }

  // The results of `size` neighbours into `sums`.
  template <bool reverse, bool exclusive>
  static void BlockOf(const T* x, int64_t size, Acc base, Acc* carry, Acc* sums) {
    Acc sum = *carry;
    int64_t i = 0;  // done, in the order of the sums
    if constexpr (kHasVector<Acc>) {
      for (; i + kWidth <= size; i += kWidth) {
        const int64_t at = reverse ? size - i - kWidth : i;
        V v = LoadLanes<Acc>(x + at);
        [&]<int... kLog>(std::integer_sequence<int, kLog...>) {
          ((v += Shift<reverse, 1 << kLog>(v)), ...);
        }(std::make_integer_sequence<int, __builtin_ctz(kWidth)>());
        const Acc total = v[reverse ? 0 : kWidth - 1];
        if constexpr (exclusive) v = Shift<reverse, 1>(v);
        StoreLanes<Acc>(FillLanes(base) + (FillLanes(sum) + v), sums + at);
        sum += total;
      }
    }
    for (; i < size; ++i) {
      const int64_t at = reverse ? size - 1 - i : i;
      const Acc before = sum;
      sum += Convert<Acc>(x[at]);
      sums[at] = base + (exclusive ? before : sum);
    }
    *carry = sum;
  }

  // The lanes moved by `by` places, up or down; zero moves in.
  template <bool down, int by>
  static V Shift(const V& v) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      const V zero{};
      if constexpr (down) {
        return __builtin_shufflevector(v, zero, (I + by)...);
      } else {
        return __builtin_shufflevector(zero, v, (I + kWidth - by)...);
      }
    }(std::make_integer_sequence<int, kWidth>());
  }

  static void AddRow(const T* x, int64_t n, Acc* sums) {
    if constexpr (is_half_v<T>) {
      VecMap(n, sums, [](const auto& a, const auto& b) { return a + b; }, sums, x);
    } else {
      for (int64_t i = 0; i < n; ++i) sums[i] += Convert<Acc>(x[i]);
    }
  }

  static void Store(const Acc* sums, int64_t n, T* out) {
    if constexpr (is_half_v<T>) {
      VecMap(n, out, [](const auto& v) { return v; }, sums);
    } else {
      for (int64_t i = 0; i < n; ++i) out[i] = Convert<T>(sums[i]);
    }
  }

  // n <= kPiece columns of a row.
  void ColumnsPiece(const T* x, int64_t n, const Acc* base, Acc* sums, T* out) const {
    if (base != nullptr) {
      AddPiece(x, n, [base](int64_t k, Acc sum) { return base[k] + sum; }, sums, out);
    } else {
      AddPiece(x, n, [](int64_t, Acc sum) { return sum; }, sums, out);
    }
  }

  template <typename Result>
  void AddPiece(const T* x, int64_t n, const Result& result, Acc* sums, T* out) const {
    if constexpr (is_half_v<T>) {
      Acc results[kPiece];
      if (!options_.exclusive) AddRow(x, n, sums);
      for (int64_t i = 0; i < n; ++i) results[i] = result(i, sums[i]);
      if (options_.exclusive) AddRow(x, n, sums);
      Store(results, n, out);
    } else if (options_.exclusive) {
#pragma GCC ivdep  // `out` is x or apart from it
      for (int64_t i = 0; i < n; ++i) {
        const Acc value = Convert<Acc>(x[i]);
        out[i] = Convert<T>(result(i, sums[i]));
        sums[i] += value;
      }
    } else {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) {
        sums[i] += Convert<Acc>(x[i]);
        out[i] = Convert<T>(result(i, sums[i]));
      }
    }
  }

  ScanOptions options_;
};

// How an axis is cut: tiles of `width` neighbouring positions, and along the axis chunks of `rows` elements.
struct ScanChunks {
  int64_t width;
  int64_t tiles;
  int64_t rows;
  int64_t number;  // of chunks

  ScanChunks(const AxisShape& shape, int64_t max_width) {
    constexpr int64_t kNarrow = 64;  // positions that are worth a task
    constexpr int64_t kElements = 65536;
    width = std::min(shape.inner, max_width);
    rows = shape.dim;
    const int64_t tasks = shape.outer * CeilDiv(shape.inner, kNarrow);
    if (tasks < 16) {
      rows = std::clamp<int64_t>(kElements / width, 1, shape.dim);
    } else {  // columns do not depend on each other, so they may be shared out as there are threads
      const int64_t share = tasks / (2 * ThreadPool::Current().size()) * kNarrow;
      width = std::min(width, std::max(share, kNarrow));
    }
    tiles = CeilDiv(shape.inner, width);
    number = CeilDiv(shape.dim, rows);
  }
};

template <typename T>
void ScanAxis(const CPUContext&, const AxisShape& shape, const ScanOptions& options, const T* x, T* out) {
  using Scanner = CpuScanner<T>;
  using Acc = typename Scanner::Acc;
  const Scanner scanner(options);
  const ScanChunks chunks(shape, Scanner::kTile);
  const int64_t groups = shape.outer * chunks.tiles;
  const int64_t width = chunks.width;
  const bool stream = Streams(shape.outer * shape.dim * shape.inner, out, x);

  // chunk `k` in the order of the sums; `base` is null for the first one, `to` where only the totals are wanted
  const auto run = [&](int64_t group, int64_t k, const Acc* base, Acc* totals, T* to) {
    const int64_t begin = (options.reverse ? chunks.number - 1 - k : k) * chunks.rows;
    const int64_t rows = std::min(chunks.rows, shape.dim - begin);
    const int64_t column = group % chunks.tiles * width;
    const int64_t at = (group / chunks.tiles * shape.dim + begin) * shape.inner + column;
    if (shape.inner == 1) {
      *totals = scanner.Row(x + at, rows, base ? *base : Acc(0), to ? to + at : nullptr);
    } else {
      const int64_t columns = std::min(width, shape.inner - column);
      scanner.Columns(x + at, rows, shape.inner, columns, base, totals, to ? to + at : nullptr, to && stream);
    }
  };
  const auto add = [width](const Acc* totals, Acc* base) {
    for (int64_t i = 0; i < width; ++i) base[i] += totals[i];
  };

  if (chunks.number == 1 || groups >= ThreadPool::Current().size() || ThreadPool::Current().is_running()) {
    const int64_t grain = RowGrain(shape.dim * width);
    ParallelFor(groups, grain, [&](int64_t group, int64_t end) {
      Acc base[Scanner::kTile], totals[Scanner::kTile];
      for (; group < end; ++group) {
        std::fill_n(base, width, Acc(0));
        for (int64_t k = 0; k < chunks.number; ++k) {
          run(group, k, k == 0 ? nullptr : base, totals, out);
          add(totals, base);
        }
      }
    });
    return;
  }
  const std::unique_ptr<Acc[]> bases(new Acc[groups * (chunks.number + 1) * width]());
  const auto base_of = [&](int64_t group, int64_t k) {
    return bases.get() + (group * (chunks.number + 1) + k) * width;
  };
  const int64_t tasks = groups * chunks.number;
  ParallelFor(tasks, 1, [&](int64_t task, int64_t end) {
    for (; task < end; ++task) {
      const int64_t group = task / chunks.number, k = task % chunks.number;
      if (k + 1 < chunks.number) run(group, k, nullptr, base_of(group, k + 1), nullptr);
    }
  });
  for (int64_t group = 0; group < groups; ++group) {
    for (int64_t k = 1; k < chunks.number; ++k) add(base_of(group, k - 1), base_of(group, k));
  }
  ParallelFor(tasks, 1, [&](int64_t task, int64_t end) {
    Acc totals[Scanner::kTile];
    for (; task < end; ++task) {
      const int64_t group = task / chunks.number, k = task % chunks.number;
      run(group, k, k == 0 ? nullptr : base_of(group, k), totals, out);
    }
  });
}

}  // namespace phi::primitive::detail
