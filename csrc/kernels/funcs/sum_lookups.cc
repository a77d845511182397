// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernels/funcs/id_type.h"
#include "kernels/funcs/lookup_cpu.h"
#include "primitive/cpu/parallel.h"

namespace phi::funcs {

namespace {

constexpr int64_t kGrain = 16384;  // elements that are worth a thread
constexpr int64_t kNarrow = 16;    // elements of a row that is too small to be looked for

// Where each row of the table was looked up, in order: positions[starts[row]] to positions[starts[row + 1]].
struct Lookups {
  std::vector<int64_t> starts;
  std::vector<int64_t> positions;

  template <typename Id>
  Lookups(const LookupTable& table, const Id* ids, int64_t count) : starts(table.rows + 1), positions(count) {
    const auto is_used = [&](int64_t id) { return table.padding_idx < 0 || id != table.padding_idx; };
    const auto row_of = [&](int64_t id) { return id < 0 ? id + table.rows : id; };
    for (int64_t i = 0; i < count; ++i) {
      if (is_used(ids[i])) ++starts[row_of(ids[i]) + 1];
    }
    for (int64_t row = 0; row < table.rows; ++row) starts[row + 1] += starts[row];
    std::vector<int64_t> next(starts.begin(), starts.end() - 1);
    for (int64_t i = 0; i < count; ++i) {
      if (is_used(ids[i])) positions[next[row_of(ids[i])]++] = i;
    }
  }
};

// A row: the sum of the rows of `grad` at n positions. `sum` has room for one.
template <typename T, typename C>
void SumRow(const T* grad, const int64_t* positions, int64_t n, int64_t width, C* sum, T* target) {
  if (n == 0) {
    std::fill_n(target, width, T(0));
  } else if (n == 1) {
    std::copy_n(grad + positions[0] * width, width, target);
  } else {
    std::fill_n(sum, width, C(0));
    for (int64_t i = 0; i < n; ++i) {
      const T* source = grad + positions[i] * width;
      for (int64_t j = 0; j < width; ++j) sum[j] += static_cast<C>(source[j]);
    }
    for (int64_t j = 0; j < width; ++j) target[j] = static_cast<T>(sum[j]);
  }
}

// All rows of one outer part, added as they come.
template <typename T, typename C, typename Id>
void AddRows(const LookupTable& table, const Id* ids, int64_t count, const T* grad, C* sums) {
  const int64_t width = table.width;
  std::fill_n(sums, table.rows * width, C(0));
  for (int64_t i = 0; i < count; ++i) {
    if (table.padding_idx >= 0 && ids[i] == table.padding_idx) continue;
    C* target = sums + (ids[i] < 0 ? ids[i] + table.rows : ids[i]) * width;
    for (int64_t j = 0; j < width; ++j) target[j] += static_cast<C>(grad[i * width + j]);
  }
}

// Threads share the outer parts.
template <typename T, typename Id>
void SumByPart(const LookupTable& table, const Id* ids, int64_t count, const T* grad, T* result) {
  using C = typename dtype::MPTypeTrait<T>::Type;
  const int64_t part = table.rows * table.width;
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, part + count * table.width));
  primitive::ParallelFor(table.outer, grain, [&](int64_t begin, int64_t end) {
    std::vector<C> buffer(std::is_same_v<T, C> ? 0 : part);
    for (int64_t outer = begin; outer < end; ++outer) {
      T* target = result + outer * part;
      const T* source = grad + outer * count * table.width;
      if constexpr (std::is_same_v<T, C>) {
        AddRows(table, ids, count, source, target);
      } else {
        AddRows(table, ids, count, source, buffer.data());
        for (int64_t i = 0; i < part; ++i) target[i] = static_cast<T>(buffer[i]);
      }
    }
  });
}

}  // namespace

template <typename T, typename Context>
void SumLookups(const Context&,
                const LookupTable& table,
                const DenseTensor& ids,
                const DenseTensor& out_grad,
                DenseTensor* x_grad) {
  const int64_t count = ids.numel();
  const int64_t width = table.width;
  const T* grad = out_grad.data<T>();
  T* result = x_grad->data<T>();
  WithIds(ids, [&](const auto* numbers) {
    CheckIds(table, numbers, count);
    if (table.outer > 1 || width < kNarrow) return SumByPart(table, numbers, count, grad, result);
    const Lookups lookups(table, numbers, count);
    const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width));
    primitive::ParallelFor(table.rows, grain, [&](int64_t begin, int64_t end) {
      std::vector<typename dtype::MPTypeTrait<T>::Type> sum(width);
      for (int64_t row = begin; row < end; ++row) {
        const int64_t first = lookups.starts[row];
        const int64_t* positions = lookups.positions.data() + first;
        SumRow(grad, positions, lookups.starts[row + 1] - first, width, sum.data(), result + row * width);
      }
    });
  });
}

PHI_INSTANTIATE_SUM_LOOKUPS(CPUContext)

}  // namespace phi::funcs
