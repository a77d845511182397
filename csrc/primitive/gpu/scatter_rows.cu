// SPDX-License-Identifier: Apache-2.0
#include "backends/all_context.h"
#include "primitive/for_each.h"
#include "primitive/gpu/sort_pairs.cuh"
#include "primitive/impl/scatter_ops.h"

namespace phi::primitive {

namespace {

// `rows` in ascending order: the thread of the first update of a row combines all of them, in their order.
template <typename T, typename Op>
void CombineSorted(const GPUContext& dev_ctx,
                   const int64_t* rows,
                   const int64_t* order,
                   int64_t count,
                   const T* updates,
                   int64_t width,
                   bool keeps,
                   T* out) {
  using C = Acc<T>;
  ForEachRun(dev_ctx, count, width, [=] HOSTDEVICE(int64_t i, int64_t begin, int64_t end) {
    const int64_t row = rows[i];
    if (i > 0 && rows[i - 1] == row) return;
    for (int64_t column = begin; column < end; ++column) {
      T* to = out + row * width + column;
      int64_t j = i;
      C value = static_cast<C>(keeps ? *to : updates[order[j++] * width + column]);
      for (; j < count && rows[j] == row; ++j) {
        value = Op()(value, static_cast<C>(updates[order[j] * width + column]));
      }
      *to = static_cast<T>(value);
    }
  });
}

inline void Number(const GPUContext& dev_ctx, int64_t n, int64_t* numbers) {
  ForEach(dev_ctx, n, [=] HOSTDEVICE(int64_t i) { numbers[i] = i; });
}

template <typename T, typename Op>
struct ScatterOnGpu {
  static void Run(const DeviceContext& device_context,
                  const DenseTensor& places,
                  const DenseTensor& updates,
                  int64_t width,
                  bool keeps,
                  DenseTensor* out) {
    const auto& dev_ctx = static_cast<const GPUContext&>(device_context);
    const int64_t count = places.numel();
    DenseTensor numbers = EmptyTensor<int64_t>(dev_ctx, {count});
    DenseTensor rows = EmptyTensor<int64_t>(dev_ctx, {count});
    DenseTensor order = EmptyTensor<int64_t>(dev_ctx, {count});
    Number(dev_ctx, count, numbers.data<int64_t>());
    SortPairs(
        dev_ctx, places.data<int64_t>(), rows.data<int64_t>(), numbers.data<int64_t>(), order.data<int64_t>(), count);
    CombineSorted<T, Op>(dev_ctx,
                         rows.data<int64_t>(),
                         order.data<int64_t>(),
                         count,
                         static_cast<const T*>(updates.data()),
                         width,
                         keeps,
                         static_cast<T*>(out->data()));
  }
};

[[maybe_unused]] const bool registered = RegisterScatterRows<ScatterOnGpu>(Backend::GPU);

}  // namespace

}  // namespace phi::primitive
