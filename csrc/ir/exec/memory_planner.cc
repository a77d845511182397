// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/memory_planner.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "common/enforce.h"

namespace phi::ir {

namespace {

int64_t Aligned(int64_t bytes) { return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment; }

bool LiveAtOnce(const Buffer& a, const Buffer& b) { return a.first <= b.last && b.first <= a.last; }

// The start of the smallest gap between `placed`, which are in order of their offsets, that holds `size` bytes.
int64_t BestFit(const std::vector<const Buffer*>& placed, const Buffer& buffer, int64_t size) {
  int64_t best = -1, best_gap = std::numeric_limits<int64_t>::max(), end = 0;
  for (const Buffer* other : placed) {
    if (!LiveAtOnce(*other, buffer)) continue;
    const int64_t gap = other->offset - end;
    if (gap >= size && gap < best_gap) best = end, best_gap = gap;
    end = std::max(end, other->offset + Aligned(other->bytes));
  }
  return best >= 0 ? best : end;
}

}  // namespace

int64_t PlanMemory(std::vector<Buffer>* buffers) {
  std::vector<size_t> order(buffers->size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(
      order.begin(), order.end(), [&](size_t a, size_t b) { return (*buffers)[a].bytes > (*buffers)[b].bytes; });
  std::vector<const Buffer*> placed;
  placed.reserve(order.size());
  int64_t arena = 0;
  for (const size_t index : order) {
    Buffer& buffer = (*buffers)[index];
    const int64_t size = Aligned(buffer.bytes);
    buffer.offset = BestFit(placed, buffer, size);
    arena = std::max(arena, buffer.offset + size);
    const auto after = [](int64_t offset, const Buffer* other) { return offset < other->offset; };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), buffer.offset, after), &buffer);
  }
  return arena;
}

void ProveMemory(const std::vector<Buffer>& buffers, int64_t arena) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& a = buffers[i];
    PADDLE_ENFORCE(a.offset >= 0 && a.offset % kBufferAlignment == 0 && a.offset + a.bytes <= arena,
                   errors::Fatal("buffer %d of %d bytes is planned at %d of %d", i, a.bytes, a.offset, arena));
    for (size_t j = 0; j < i; ++j) {
      const Buffer& b = buffers[j];
      const bool apart_in_time = a.last < b.first || b.last < a.first;
      const bool apart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
      PADDLE_ENFORCE(
          apart_in_time || apart,
          errors::Fatal("buffers %d and %d overlap in the plan of the memory, at %d and %d", i, j, a.offset, b.offset));
    }
  }
}

int64_t LiveBytes(const std::vector<Buffer>& buffers) {
  std::vector<std::pair<int, int64_t>> changes;
  for (const Buffer& buffer : buffers) {
    changes.emplace_back(buffer.first, Aligned(buffer.bytes));
    if (buffer.last != std::numeric_limits<int>::max()) changes.emplace_back(buffer.last + 1, -Aligned(buffer.bytes));
  }
  std::sort(changes.begin(), changes.end());
  int64_t live = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, live += change);
  return most;
}

}  // namespace phi::ir
