// SPDX-License-Identifier: Apache-2.0
#include "primitive/topk.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "primitive/impl/types.h"
#include "primitive/loop/order_key.h"

namespace phi::primitive {

namespace {

// An element as one unsigned number, larger if it comes earlier: its order key, then its index counted down.
template <typename T, typename Packed>
struct Packing {
  static constexpr int kIndexBits = 8 * (sizeof(Packed) - sizeof(OrderKey<T>));
  static constexpr Packed kIndices = (Packed(1) << kIndexBits) - 1;

  static Packed Pack(T value, int64_t index, bool largest) {
    return Packed(ToOrderKey(value, largest)) << kIndexBits | (kIndices - Packed(index));
  }
  static int64_t Index(Packed packed) { return static_cast<int64_t>(kIndices - (packed & kIndices)); }
};

// A line of x.
template <typename T>
struct Line {
  const T* data;
  int64_t size;
  int64_t stride;
  bool largest;

  template <typename Packed>
  void Pack(int64_t begin, int64_t end, Packed* packed) const {
    using P = Packing<T, Packed>;
    if (stride == 1) {  // which compilers vectorize
      for (int64_t i = begin; i < end; ++i) packed[i - begin] = P::Pack(data[i], i, largest);
    } else {
      for (int64_t i = begin; i < end; ++i) packed[i - begin] = P::Pack(data[i * stride], i, largest);
    }
  }
};

// For a k that is small against the line: a heap, the worst of the best on top, and blocks without a better one
// skipped.
template <typename T, typename Packed>
void SelectFew(const Line<T>& line, int64_t k, std::vector<Packed>* best) {
  constexpr int64_t kBlock = 256;
  Packed block[kBlock];
  best->clear();
  for (int64_t begin = 0; begin < line.size; begin += kBlock) {
    const int64_t count = std::min(kBlock, line.size - begin);
    line.Pack(begin, begin + count, block);
    Packed first = 0;
    for (int64_t i = 0; i < count; ++i) first = std::max(first, block[i]);
    const bool is_full = static_cast<int64_t>(best->size()) == k;
    if (is_full && first <= best->front()) continue;
    for (int64_t i = 0; i < count; ++i) {
      if (static_cast<int64_t>(best->size()) == k) {
        if (block[i] <= best->front()) continue;
        std::pop_heap(best->begin(), best->end(), std::greater<>());
        best->pop_back();
      }
      best->push_back(block[i]);
      std::push_heap(best->begin(), best->end(), std::greater<>());
    }
  }
  std::sort_heap(best->begin(), best->end(), std::greater<>());
}

template <typename T, typename Packed>
void SelectMany(const Line<T>& line, int64_t k, bool sorted, std::vector<Packed>* best) {
  best->resize(line.size);
  line.Pack(0, line.size, best->data());
  const auto middle = best->begin() + k;
  if (k < line.size) std::nth_element(best->begin(), middle - 1, best->end(), std::greater<>());
  if (sorted) std::sort(best->begin(), middle, std::greater<>());
}

template <typename T, typename Packed>
void SelectLines(
    const T* x, const AxisShape& shape, int64_t k, bool largest, bool sorted, T* values, int64_t* indices) {
  constexpr int64_t kGrain = 4096;  // elements that are worth a thread
  const int64_t stride = shape.inner;
  const int64_t grain = std::max<int64_t>(1, kGrain / shape.dim);
  ParallelFor(shape.outer * stride, grain, [&](int64_t begin, int64_t end) {
    std::vector<Packed> best;
    for (int64_t i = begin; i < end; ++i) {
      const T* from = x + i / stride * shape.dim * stride + i % stride;
      const int64_t to = i / stride * k * stride + i % stride;
      const Line<T> line{from, shape.dim, stride, largest};
      k * 64 <= shape.dim ? SelectFew(line, k, &best) : SelectMany(line, k, sorted, &best);
      for (int64_t j = 0; j < k; ++j) {
        const int64_t index = Packing<T, Packed>::Index(best[j]);
        values[to + j * stride] = from[index * stride];
        indices[to + j * stride] = index;
      }
    }
  });
}

template <typename T>
void TopKOnCpu(const DeviceContext&,
               const DenseTensor& x,
               const AxisShape& shape,
               int64_t k,
               bool largest,
               bool sorted,
               DenseTensor* out,
               DenseTensor* indices) {
  T* values = out->data<T>();
  int64_t* where = indices->data<int64_t>();
  if constexpr (sizeof(T) <= 4) {
    if (shape.dim <= std::numeric_limits<int32_t>::max()) {
      return SelectLines<T, uint64_t>(x.data<T>(), shape, k, largest, sorted, values, where);
    }
  }
  SelectLines<T, unsigned __int128>(x.data<T>(), shape, k, largest, sorted, values, where);
}

[[maybe_unused]] const bool topk_registered = RegisterForTypes<TopK>(
    Backend::CPU,
    [](auto type) { return &TopKOnCpu<typename decltype(type)::Type>; },
    Types<int32_t, int64_t>(),
    FloatingTypes());

}  // namespace

}  // namespace phi::primitive
