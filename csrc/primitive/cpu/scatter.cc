// SPDX-License-Identifier: Apache-2.0
#include "primitive/scatter.h"

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "primitive/cpu/check_ids.h"
#include "primitive/impl/types.h"
#include "primitive/loop/id_type.h"
#include "primitive/loop/vec_loop.h"

namespace phi::primitive {

namespace {

constexpr int64_t kNarrow = 16;  // elements of a row that is too small to be looked for

// The rows of the table that are looked up; -1 for the one that counts as zero.
template <typename Id>
std::vector<int64_t> RowsOf(const LookupTable& table, const Id* ids, int64_t count) {
  std::vector<int64_t> rows(count);
  for (int64_t i = 0; i < count; ++i) {
    const bool is_padding = table.padding_idx >= 0 && ids[i] == table.padding_idx;
    rows[i] = is_padding ? -1 : ids[i] < 0 ? ids[i] + table.rows : ids[i];
  }
  return rows;
}

// Where each row of the table was looked up, in order: positions[starts[row]] to positions[starts[row + 1]].
struct Lookups {
  std::vector<int64_t> starts;
  std::vector<int64_t> positions;

  Lookups(int64_t table_rows, const std::vector<int64_t>& rows) : starts(table_rows + 1), positions(rows.size()) {
    for (const int64_t row : rows) {
      if (row >= 0) ++starts[row + 1];
    }
    for (int64_t row = 0; row < table_rows; ++row) starts[row + 1] += starts[row];
    std::vector<int64_t> next(starts.begin(), starts.end() - 1);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] >= 0) positions[next[rows[i]]++] = static_cast<int64_t>(i);
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

// The rows of `grad`, added as they come. A constant width makes a loop over it straight code.
template <typename Width, typename T, typename C>
void AddRows(Width width, const std::vector<int64_t>& rows, const T* grad, C* sums) {
  for (const int64_t row : rows) {
    for (int64_t j = 0; row >= 0 && j < width; ++j) sums[row * width + j] += static_cast<C>(grad[j]);
    grad += width;
  }
}

// Threads share the outer parts.
template <typename T>
void SumByPart(const LookupTable& table, const std::vector<int64_t>& rows, const T* grad, T* result) {
  using C = Acc<T>;
  constexpr bool kHalf = !std::is_same_v<T, C>;
  const int64_t part = table.rows * table.width;
  const int64_t added = static_cast<int64_t>(rows.size()) * table.width;
  ParallelFor(table.outer, RowGrain(part + added), [&](int64_t begin, int64_t end) {
    std::vector<C> buffer(kHalf ? part : 0);
    for (int64_t outer = begin; outer < end; ++outer) {
      C* sums = buffer.data();
      if constexpr (!kHalf) sums = result + outer * part;
      std::fill_n(sums, part, C(0));
      const T* from = grad + outer * added;
      table.width == 1 ? AddRows(std::integral_constant<int64_t, 1>(), rows, from, sums)
                       : AddRows(table.width, rows, from, sums);
      if constexpr (kHalf) VecMap(part, result + outer * part, [](const Vec<T>& v) { return v; }, sums);
    }
  });
}

template <typename T>
void SumOnCpu(const DeviceContext&,
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
    const std::vector<int64_t> rows = RowsOf(table, numbers, count);
    if (table.outer != 1 || width < kNarrow) return SumByPart(table, rows, grad, result);
    const Lookups lookups(table.rows, rows);
    ParallelFor(table.rows, RowGrain(width), [&](int64_t begin, int64_t end) {
      std::vector<typename dtype::MPTypeTrait<T>::Type> sum(width);
      for (int64_t row = begin; row < end; ++row) {
        const int64_t first = lookups.starts[row];
        const int64_t* positions = lookups.positions.data() + first;
        SumRow(grad, positions, lookups.starts[row + 1] - first, width, sum.data(), result + row * width);
      }
    });
  });
}

[[maybe_unused]] const bool scatter_registered = RegisterForTypes<ScatterSum>(
    Backend::CPU,
    [](auto type) { return &SumOnCpu<typename decltype(type)::Type>; },
    Types<int32_t, int64_t>(),
    FloatingTypes(),
    ComplexTypes());

}  // namespace

}  // namespace phi::primitive
