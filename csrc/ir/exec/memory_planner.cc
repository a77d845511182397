// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/memory_planner.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "common/ceil_div.h"
#include "common/enforce.h"

namespace phi::ir {

namespace {

int64_t Aligned(int64_t bytes) { return RoundUp(bytes, kBufferAlignment); }

// What is compared with all others, side by side in memory.
struct Span {
  int first, last;
  int64_t begin, end;
};

// The start of the smallest gap between `placed`, which are in order of their offsets, that holds `size` bytes.
int64_t BestFit(const std::vector<Span>& placed, const Buffer& buffer, int64_t size) {
  int64_t best = -1, best_gap = std::numeric_limits<int64_t>::max(), end = 0;
  for (const Span& other : placed) {
    if (other.last < buffer.first || buffer.last < other.first) continue;
    const int64_t gap = other.begin - end;
    if (gap >= size && gap < best_gap) best = end, best_gap = gap;
    end = std::max(end, other.end);
  }
  return best >= 0 ? best : end;
}

using Before = bool (*)(const Buffer&, const Buffer&);

bool IsLarger(const Buffer& a, const Buffer& b) { return a.bytes > b.bytes; }

bool LivesLonger(const Buffer& a, const Buffer& b) {
  const int64_t steps_a = int64_t{a.last} - a.first, steps_b = int64_t{b.last} - b.first;
  return steps_a != steps_b ? steps_a > steps_b : a.bytes > b.bytes;
}

bool IsEarlier(const Buffer& a, const Buffer& b) { return a.first != b.first ? a.first < b.first : a.bytes > b.bytes; }

// Places the buffers in this order, each in the smallest gap that holds it. Returns the size of the arena. In order of
// time what has ended is in nobody's way any more.
int64_t PlaceAll(std::vector<Buffer>* buffers, Before before) {
  std::vector<size_t> order(buffers->size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(
      order.begin(), order.end(), [&](size_t a, size_t b) { return before((*buffers)[a], (*buffers)[b]); });
  std::vector<Span> placed;
  placed.reserve(order.size());
  int64_t arena = 0;
  for (const size_t index : order) {
    Buffer& buffer = (*buffers)[index];
    const int64_t size = Aligned(buffer.bytes);
    if (before == IsEarlier) std::erase_if(placed, [&](const Span& other) { return other.last < buffer.first; });
    buffer.offset = BestFit(placed, buffer, size);
    arena = std::max(arena, buffer.offset + size);
    const auto after = [](int64_t offset, const Span& other) { return offset < other.begin; };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), buffer.offset, after),
                  Span{buffer.first, buffer.last, buffer.offset, buffer.offset + size});
  }
  return arena;
}

}  // namespace

int64_t PlanMemory(std::vector<Buffer>* buffers) {
  const int64_t live = LiveBytes(*buffers);
  int64_t arena = PlaceAll(buffers, IsEarlier);
  for (const Before before : {IsLarger, LivesLonger}) {
    if (arena == live) break;
    std::vector<Buffer> other = *buffers;
    const int64_t size = PlaceAll(&other, before);
    if (size < arena) arena = size, *buffers = std::move(other);
  }
  return arena;
}

void ProveMemory(const std::vector<Buffer>& buffers, int64_t arena) {
  std::vector<size_t> order;  // of time
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& a = buffers[i];
    PADDLE_ENFORCE(a.offset >= 0 && a.offset % kBufferAlignment == 0 && a.offset + a.bytes <= arena,
                   errors::Fatal("buffer %d of %d bytes is planned at %d of %d", i, a.bytes, a.offset, arena));
    if (a.bytes > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return buffers[a].first < buffers[b].first; });
  std::vector<size_t> live;  // in order of their offsets; none overlaps its neighbours
  const auto refuse = [&](size_t a, size_t b) {
    PADDLE_ENFORCE(buffers[a].offset + buffers[a].bytes <= buffers[b].offset,
                   errors::Fatal("buffers %d and %d overlap in the plan of the memory, at %d and %d",
                                 a,
                                 b,
                                 buffers[a].offset,
                                 buffers[b].offset));
  };
  for (const size_t i : order) {
    std::erase_if(live, [&](size_t other) { return buffers[other].last < buffers[i].first; });
    const auto after = std::upper_bound(
        live.begin(), live.end(), i, [&](size_t a, size_t b) { return buffers[a].offset < buffers[b].offset; });
    if (after != live.begin()) refuse(*std::prev(after), i);
    if (after != live.end()) refuse(i, *after);
    live.insert(after, i);
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
