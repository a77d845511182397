// SPDX-License-Identifier: Apache-2.0
#include "primitive/gather.h"

#include <cstring>

#include "core/parallel.h"
#include "primitive/cpu/check_ids.h"
#include "primitive/cpu/grain_bytes.h"
#include "primitive/loop/id_type.h"

namespace phi::primitive {

namespace {

constexpr int64_t kBlock = 1024;  // ids that are checked, then used
constexpr int64_t kAhead = 8;     // rows that are on their way from memory

// Rows at ids[0], ids[1], ...; with a constant width the compiler makes a copy of a row one instruction.
template <int64_t kBytes, typename Id>
void CopyRowsAt(const LookupTable& table, const Id* ids, int64_t count, const char* from, char* to, int64_t bytes) {
  const int64_t width = kBytes > 0 ? kBytes : bytes;
  const int64_t rows = table.rows;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t id = ids[i];
    std::memcpy(to + i * width, from + (id < 0 ? id + rows : id) * width, width);
  }
}

// Wide rows: the first lines of those to come are fetched ahead.
template <typename Id>
void CopyWideRowsAt(const LookupTable& table, const Id* ids, int64_t count, const char* from, char* to, int64_t width) {
  const auto row = [&](int64_t i) { return from + (ids[i] < 0 ? ids[i] + table.rows : ids[i]) * width; };
  for (int64_t i = 0; i < count; ++i) {
    if (i + kAhead < count) {
      const char* next = row(i + kAhead);
      __builtin_prefetch(next);
      if (width > 64) __builtin_prefetch(next + 64);
    }
    std::memcpy(to + i * width, row(i), width);
  }
}

template <typename Id>
void CopyPaddedRowsAt(
    const LookupTable& table, const Id* ids, int64_t count, const char* from, char* to, int64_t width) {
  for (int64_t i = 0; i < count; ++i) {
    if (ids[i] == table.padding_idx) {
      std::memset(to + i * width, 0, width);
    } else {
      CopyRowsAt<0>(table, ids + i, 1, from, to + i * width, width);
    }
  }
}

template <typename Id>
using CopyFn = void (*)(const LookupTable&, const Id*, int64_t, const char*, char*, int64_t);

template <typename Id>
CopyFn<Id> CopyFor(const LookupTable& table, int64_t bytes) {
  if (table.padding_idx >= 0) return &CopyPaddedRowsAt<Id>;
  switch (bytes) {
    case 1:
      return &CopyRowsAt<1, Id>;
    case 2:
      return &CopyRowsAt<2, Id>;
    case 4:
      return &CopyRowsAt<4, Id>;
    case 8:
      return &CopyRowsAt<8, Id>;
    case 16:
      return &CopyRowsAt<16, Id>;
    default:
      return &CopyWideRowsAt<Id>;
  }
}

void GatherOnCpu(
    const DeviceContext&, const LookupTable& table, const DenseTensor& ids, const DenseTensor& x, DenseTensor* out) {
  const int64_t count = ids.numel();
  const int64_t width = table.width * static_cast<int64_t>(SizeOf(x.dtype()));
  const char* from = static_cast<const char*>(x.data());
  char* to = static_cast<char*>(out->data());
  WithIds(ids, [&](const auto* numbers) {
    using Id = std::remove_const_t<std::remove_pointer_t<decltype(numbers)>>;
    const bool checked = table.outer != 1 || width == 0;
    if (checked) CheckIds(table, numbers, count);
    if (width == 0) return;
    const CopyFn<Id> copy = CopyFor<Id>(table, width);
    const int64_t grain = std::max<int64_t>(1, detail::kGrainBytes / width);
    ParallelFor(table.outer * count, grain, [&](int64_t begin, int64_t end) {
      while (begin < end) {
        const int64_t outer = begin / count;
        const int64_t first = begin - outer * count;
        const int64_t n = std::min({end - begin, count - first, kBlock});
        if (!checked) CheckIds(table, numbers + first, n);
        copy(table, numbers + first, n, from + outer * table.rows * width, to + begin * width, width);
        begin += n;
      }
    });
  });
}

[[maybe_unused]] const bool gather_registered = RegisterPrimitive<Gather>(Backend::CPU, &GatherOnCpu);

}  // namespace

}  // namespace phi::primitive
