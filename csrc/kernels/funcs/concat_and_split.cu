// SPDX-License-Identifier: Apache-2.0
#include "kernels/funcs/concat_and_split.h"

#include <algorithm>

#include "backends/gpu/gpu_launch.cuh"

namespace phi::funcs {

namespace {

constexpr int kMaxParts = 64;  // in one launch, which passes them by value
constexpr int kThreads = 256;

struct PartList {
  char* data[kMaxParts];
  int64_t offset[kMaxParts];  // in a row of the whole, in units
  int64_t width[kMaxParts];   // in units
};

// blockIdx.y is the part. Unit is as wide as all addresses and widths allow.
template <typename Unit>
__global__ void CopyRowsOnGpu(PartList parts, int64_t rows, int64_t pitch, char* whole, bool to_whole) {
  Unit* part = reinterpret_cast<Unit*>(parts.data[blockIdx.y]);
  Unit* base = reinterpret_cast<Unit*>(whole) + parts.offset[blockIdx.y];
  const int64_t width = parts.width[blockIdx.y];
  const int64_t grid = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * width; i += grid) {
    const int64_t row = rows == 1 ? 0 : i / width;
    Unit* in_whole = base + row * pitch + (i - row * width);
    if (to_whole) {
      *in_whole = part[i];
    } else {
      part[i] = *in_whole;
    }
  }
}

template <typename Unit>
void LaunchCopyRows(
    const GPUContext& dev_ctx, int64_t rows, const RowParts& parts, int64_t pitch, char* whole, bool to_whole) {
  constexpr int64_t kUnit = sizeof(Unit);
  int64_t offset = 0;
  for (size_t begin = 0; begin < parts.size();) {
    PartList list;
    int count = 0;
    int64_t widest = 0;
    for (; begin < parts.size() && count < kMaxParts; ++begin) {
      const RowPart& part = parts[begin];
      if (part.data && part.bytes > 0) {
        list.data[count] = part.data;
        list.offset[count] = offset / kUnit;
        list.width[count] = part.bytes / kUnit;
        widest = std::max(widest, list.width[count++]);
      }
      offset += part.bytes;
    }
    if (count == 0) continue;
    const unsigned blocks = std::min(backends::gpu::GridSize(rows * widest, kThreads), 16u * dev_ctx.GetSMCount());
    backends::gpu::Launch(
        dev_ctx, &CopyRowsOnGpu<Unit>, dim3(blocks, count), kThreads, list, rows, pitch / kUnit, whole, to_whole);
  }
}

}  // namespace

void CopyRows(const GPUContext& dev_ctx, int64_t rows, const RowParts& parts, char* whole, CopyDirection direction) {
  int64_t pitch = 0;
  uintptr_t alignment = reinterpret_cast<uintptr_t>(whole);  // its lowest set bit divides every address and width
  for (const RowPart& part : parts) {
    pitch += part.bytes;
    alignment |= reinterpret_cast<uintptr_t>(part.data) | static_cast<uintptr_t>(part.bytes);
  }
  if (rows == 0 || pitch == 0) return;
  const bool to_whole = direction == CopyDirection::kPartsToWhole;
  if (alignment % 16 == 0) {
    LaunchCopyRows<uint4>(dev_ctx, rows, parts, pitch, whole, to_whole);
  } else if (alignment % 8 == 0) {
    LaunchCopyRows<uint64_t>(dev_ctx, rows, parts, pitch, whole, to_whole);
  } else if (alignment % 4 == 0) {
    LaunchCopyRows<uint32_t>(dev_ctx, rows, parts, pitch, whole, to_whole);
  } else if (alignment % 2 == 0) {
    LaunchCopyRows<uint16_t>(dev_ctx, rows, parts, pitch, whole, to_whole);
  } else {
    LaunchCopyRows<uint8_t>(dev_ctx, rows, parts, pitch, whole, to_whole);
  }
}

}  // namespace phi::funcs
