// SPDX-License-Identifier: Apache-2.0
#include "primitive/scatter.h"

#include "backends/gpu/gpu_launch.cuh"
#include "primitive/for_each.h"
#include "primitive/gpu/id_check.cuh"
#include "primitive/gpu/sort_pairs.cuh"
#include "primitive/impl/types.h"
#include "primitive/loop/id_type.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/memset.h"

namespace phi::primitive {

namespace {

constexpr int kThreads = 128;

// A block for each lookup, in the order of the ids. The first lookup of an id sums all of them, in their order.
template <typename T, typename Id>
__global__ void SumSorted(
    const Id* ids, const int64_t* positions, int64_t count, const T* grad, LookupTable table, T* out) {
  using C = typename dtype::MPTypeTrait<T>::Type;
  for (int64_t first = blockIdx.x; first < count; first += gridDim.x) {
    const int64_t id = ids[first];
    if (first > 0 && ids[first - 1] == id) continue;
    if (id == table.padding_idx && table.padding_idx >= 0) continue;
    for (int64_t column = threadIdx.x; column < table.outer * table.width; column += blockDim.x) {
      const int64_t outer = column / table.width;
      const int64_t inner = column - outer * table.width;
      const T* source = grad + outer * count * table.width + inner;
      C sum = C(0);
      for (int64_t i = first; i < count && ids[i] == id; ++i) sum += static_cast<C>(source[positions[i] * table.width]);
      out[(outer * table.rows + id) * table.width + inner] = static_cast<T>(sum);
    }
  }
}

// The rows that are meant in ascending order, and where each was looked up.
template <typename Id>
void SortIds(
    const GPUContext& dev_ctx, const LookupTable& table, const Id* ids, int64_t count, Id* sorted, int64_t* positions) {
  DenseTensor order = EmptyTensor<int64_t>(dev_ctx, {count});
  DenseTensor found = EmptyTensor<Id>(dev_ctx, {count});
  int64_t* start = order.data<int64_t>();
  Id* rows = found.data<Id>();
  const IdCheck check(table);
  const Id from_end = static_cast<Id>(table.rows);
  ForEach(dev_ctx, count, [=] HOSTDEVICE(int64_t i) {
    const Id id = ids[i];
    start[i] = i;
    rows[i] = !check.IsPadding(id) && id < 0 ? id + from_end : id;
  });
  SortPairs(dev_ctx, rows, sorted, start, positions, count);
}

template <typename T>
void SumOnGpu(const DeviceContext& device_context,
              const LookupTable& table,
              const DenseTensor& ids,
              const DenseTensor& out_grad,
              DenseTensor* x_grad) {
  const auto& dev_ctx = static_cast<const GPUContext&>(device_context);
  const int64_t count = ids.numel();
  T* result = x_grad->data<T>();
  SetZero(dev_ctx, x_grad);
  if (count == 0 || x_grad->numel() == 0) return;
  DenseTensor positions = EmptyTensor<int64_t>(dev_ctx, {count});
  WithIds(ids, [&](const auto* numbers) {
    using Id = std::remove_const_t<std::remove_pointer_t<decltype(numbers)>>;
    DenseTensor sorted = EmptyTensor<Id>(dev_ctx, {count});
    SortIds(dev_ctx, table, numbers, count, sorted.data<Id>(), positions.data<int64_t>());
    const unsigned blocks = static_cast<unsigned>(std::min<int64_t>(count, 64 * dev_ctx.GetSMCount()));
    backends::gpu::Launch(dev_ctx,
                          &SumSorted<T, Id>,
                          blocks,
                          kThreads,
                          sorted.data<Id>(),
                          positions.data<int64_t>(),
                          count,
                          out_grad.data<T>(),
                          table,
                          result);
  });
}

[[maybe_unused]] const bool registered = RegisterForTypes<ScatterSum>(
    Backend::GPU,
    [](auto type) { return &SumOnGpu<typename decltype(type)::Type>; },
    Types<int32_t, int64_t>(),
    FloatingTypes(),
    ComplexTypes());

}  // namespace

}  // namespace phi::primitive
