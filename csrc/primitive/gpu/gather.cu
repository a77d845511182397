// SPDX-License-Identifier: Apache-2.0
#include "primitive/gather.h"

#include "backends/gpu/gpu_launch.cuh"
#include "primitive/gpu/fast_divide.h"
#include "primitive/gpu/id_check.cuh"
#include "primitive/loop/id_type.h"

namespace phi::primitive {

namespace {

constexpr int kThreads = 256;

// A LookupTable for the device; `width` counts units of memory.
struct DeviceTable {
  IdCheck ids;
  int64_t rows;
  int64_t width;
};

template <typename Unit, typename Id, typename Divide>
__global__ void CopyRowsAt(DeviceTable table,
                           const Id* ids,
                           int64_t count,
                           int64_t n,
                           Divide by_width,
                           Divide by_count,
                           const Unit* from,
                           Unit* to) {
  const int64_t grid = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += grid) {
    const int64_t line = by_width.Divide(i);
    const int64_t outer = by_count.Divide(line);
    const int64_t id = ids[line - outer * count];
    if (table.ids.IsPadding(id)) {
      to[i] = Unit{};
      continue;
    }
    const int64_t row = outer * table.rows + (id < 0 ? id + table.rows : id);
    to[i] = from[row * table.width + (i - line * table.width)];
  }
}

template <typename Unit>
void LaunchCopy(const GPUContext& dev_ctx,
                const LookupTable& table,
                const DenseTensor& ids,
                int64_t row_bytes,
                const DenseTensor& x,
                DenseTensor* out) {
  const int64_t count = ids.numel();
  const DeviceTable device_table{IdCheck(table), table.rows, row_bytes / static_cast<int64_t>(sizeof(Unit))};
  const int64_t n = table.outer * count * device_table.width;
  if (n == 0) return;
  const unsigned blocks = std::min(backends::gpu::GridSize(n, kThreads), 32u * dev_ctx.GetSMCount());
  WithIds(ids, [&](const auto* numbers) {
    using Id = std::remove_const_t<std::remove_pointer_t<decltype(numbers)>>;
    WithDivide(n, device_table.width, [&](auto by_width) {
      using Divide = decltype(by_width);
      backends::gpu::Launch(dev_ctx,
                            &CopyRowsAt<Unit, Id, Divide>,
                            blocks,
                            kThreads,
                            device_table,
                            numbers,
                            count,
                            n,
                            by_width,
                            Divide(count),
                            static_cast<const Unit*>(x.data()),
                            static_cast<Unit*>(out->data()));
    });
  });
}

void GatherOnGpu(const DeviceContext& device_context,
                 const LookupTable& table,
                 const DenseTensor& ids,
                 const DenseTensor& x,
                 DenseTensor* out) {
  const auto& dev_ctx = static_cast<const GPUContext&>(device_context);
  const int64_t row_bytes = table.width * static_cast<int64_t>(SizeOf(x.dtype()));
  // its lowest set bit divides both addresses and the row
  const uintptr_t alignment =
      reinterpret_cast<uintptr_t>(x.data()) | reinterpret_cast<uintptr_t>(out->data()) | row_bytes;
  if (alignment % sizeof(uint4) == 0) {
    LaunchCopy<uint4>(dev_ctx, table, ids, row_bytes, x, out);
  } else if (alignment % sizeof(uint64_t) == 0) {
    LaunchCopy<uint64_t>(dev_ctx, table, ids, row_bytes, x, out);
  } else if (alignment % sizeof(uint32_t) == 0) {
    LaunchCopy<uint32_t>(dev_ctx, table, ids, row_bytes, x, out);
  } else if (alignment % sizeof(uint16_t) == 0) {
    LaunchCopy<uint16_t>(dev_ctx, table, ids, row_bytes, x, out);
  } else {
    LaunchCopy<uint8_t>(dev_ctx, table, ids, row_bytes, x, out);
  }
}

[[maybe_unused]] const bool registered = RegisterPrimitive<Gather>(Backend::GPU, &GatherOnGpu);

}  // namespace

}  // namespace phi::primitive
