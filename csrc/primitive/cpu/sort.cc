// SPDX-License-Identifier: Apache-2.0
#include "primitive/sort.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "core/parallel.h"
#include "primitive/impl/types.h"
#include "primitive/loop/order_key.h"

namespace phi::primitive {

namespace {

constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits;

// Numbers in the order of their highest kKeyBytes bytes. Where these are equal, each is above those before it, so that
// any sort of the whole numbers is stable.
template <int kKeyBytes, typename Packed>
class PackedSort {
 public:
  // Sorts `data`; the result lies in it, or in `other`, which has as much memory.
  static Packed* Run(Packed* data, Packed* other, int64_t n) {
    constexpr int64_t kFew = 192;
    if (n <= kFew) {
      std::sort(data, data + n);
      return data;
    }
    std::array<std::array<int64_t, kDigits>, kKeyBytes> counts = {};
    for (int64_t i = 0; i < n; ++i) {
      for (int k = 0; k < kKeyBytes; ++k) ++counts[k][Digit(data[i], k)];
    }
    for (int k = 0; k < kKeyBytes; ++k) {
      if (counts[k][Digit(data[0], k)] == n) continue;  // all have this digit
      int64_t start = 0;
      for (int64_t& count : counts[k]) {
        const int64_t size = count;
        count = start;
        start += size;
      }
      for (int64_t i = 0; i < n; ++i) other[counts[k][Digit(data[i], k)]++] = data[i];
      std::swap(data, other);
    }
    return data;
  }

 private:
  static int Digit(Packed packed, int k) {
    constexpr int kLow = 8 * (sizeof(Packed) - kKeyBytes);
    return static_cast<int>(packed >> (kLow + k * kDigitBits)) & (kDigits - 1);
  }
};

template <typename T, typename Packed>
void SortLines(const T* x, const AxisShape& shape, bool descending, T* values, int64_t* indices) {
  constexpr int64_t kGrain = 4096;  // elements that are worth a thread
  constexpr int kIndexBits = 8 * (sizeof(Packed) - sizeof(T));
  constexpr Packed kIndices = (Packed(1) << kIndexBits) - 1;
  const int64_t n = shape.dim, stride = shape.inner;
  ParallelFor(shape.outer * stride, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<Packed[]> buffer(new Packed[2 * n]);
    for (int64_t line = begin; line < end; ++line) {
      const int64_t first = line / stride * n * stride + line % stride;
      const T* from = x + first;
      for (int64_t i = 0; i < n; ++i) {
        buffer[i] = Packed(ToOrderKey(from[i * stride], !descending)) << kIndexBits | Packed(i);
      }
      const Packed* sorted = PackedSort<sizeof(T), Packed>::Run(buffer.get(), buffer.get() + n, n);
      for (int64_t i = 0; i < n; ++i) {
        const int64_t index = static_cast<int64_t>(sorted[i] & kIndices);
        if (values) values[first + i * stride] = from[index * stride];
        indices[first + i * stride] = index;
      }
    }
  });
}

template <typename T>
void SortOnCpu(const DeviceContext&,
               const DenseTensor& x,
               const AxisShape& shape,
               bool descending,
               DenseTensor* out,
               DenseTensor* indices) {
  T* values = out ? out->data<T>() : nullptr;
  int64_t* where = indices->data<int64_t>();
  if constexpr (sizeof(T) <= 4) {
    if (shape.dim <= std::numeric_limits<int32_t>::max()) {
      return SortLines<T, uint64_t>(x.data<T>(), shape, descending, values, where);
    }
  }
  SortLines<T, unsigned __int128>(x.data<T>(), shape, descending, values, where);
}

[[maybe_unused]] const bool sort_registered = RegisterForTypes<Sort>(
    Backend::CPU, [](auto type) { return &SortOnCpu<typename decltype(type)::Type>; }, IntegerTypes(), FloatingTypes());

}  // namespace

}  // namespace phi::primitive
