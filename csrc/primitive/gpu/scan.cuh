// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cub/block/block_scan.cuh>

#include "backends/gpu/gpu_launch.cuh"
#include "primitive/convert.h"
#include "primitive/loop/axis_shape.h"
#include "primitive/loop/scan_type.h"
#include "primitive/scan_options.h"

// Cumulative sums on the GPU: rows by a block each, one long row by a block for each of its chunks, columns by a thread
// each. Sums are taken in the same order in every run.
namespace phi::primitive::detail {

// Complex numbers and what is added in shared memory, without constructors.
struct ScanPlus {
  template <typename V>
  __device__ V operator()(const V& a, const V& b) const {
    return a + b;
  }
};

constexpr int kScanThreads = 256;
constexpr int kScanItems = 8;  // of a thread
constexpr int64_t kScanTile = int64_t(kScanThreads) * kScanItems;

// A row in the order in which it is added up.
template <typename T>
struct ScanRow {
  const T* x;
  T* out;
  int64_t dim;
  bool reverse;

  using Acc = ScanType<T>;
  __device__ int64_t At(int64_t i) const { return reverse ? dim - 1 - i : i; }
  __device__ Acc Load(int64_t i) const { return Convert<Acc>(x[At(i)]); }
  __device__ void Store(int64_t i, Acc sum) const { out[At(i)] = Convert<T>(sum); }
};

// A block walks the elements [begin, end) of a row in tiles: store(i, sum) for each of them, with `carry` added to what
// comes before. Returns the sum of all.
template <typename Acc, typename Row, typename Store>
__device__ Acc ScanTiles(const Row& row, int64_t begin, int64_t end, bool exclusive, Acc carry, const Store& store) {
  using BlockScan = cub::BlockScan<Acc, kScanThreads>;
  __shared__ typename BlockScan::TempStorage storage;
  for (int64_t tile = begin; tile < end; tile += kScanTile) {
    const int64_t first = tile + int64_t(threadIdx.x) * kScanItems;
    Acc values[kScanItems];
    for (int k = 0; k < kScanItems; ++k) values[k] = first + k < end ? row.Load(first + k) : Acc(0);
    Acc sums[kScanItems];
    Acc total(0);
    if (exclusive) {
      BlockScan(storage).ExclusiveScan(values, sums, Acc(0), ScanPlus(), total);
    } else {
      BlockScan(storage).InclusiveScan(values, sums, ScanPlus(), total);
    }
    for (int k = 0; k < kScanItems; ++k) {
      if (first + k < end) store(first + k, carry + sums[k]);
    }
    carry = carry + total;
    __syncthreads();  // before the storage is used again
  }
  return carry;
}

// A block per row.
template <typename T>
__global__ void ScanRowsKernel(int64_t rows, int64_t dim, ScanOptions options, const T* x, T* out) {
  using Acc = ScanType<T>;
  for (int64_t i = blockIdx.x; i < rows; i += gridDim.x) {
    const ScanRow<T> row{x + i * dim, out + i * dim, dim, options.reverse};
    ScanTiles(row, 0, dim, options.exclusive, Acc(0), [&](int64_t at, Acc sum) { row.Store(at, sum); });
  }
}

constexpr int64_t kScanChunk = 4 * kScanTile;

// A block per chunk of one row: the sum of the chunk.
template <typename T>
__global__ void SumChunksKernel(ScanRow<T> row, ScanType<T>* sums) {
  using Acc = ScanType<T>;
  const int64_t begin = blockIdx.x * kScanChunk;
  const Acc sum = ScanTiles(row, begin, min(begin + kScanChunk, row.dim), false, Acc(0), [](int64_t, Acc) {});
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// The same with the sums of the chunks before: the elements.
template <typename T>
__global__ void ScanChunksKernel(ScanRow<T> row, bool exclusive, const ScanType<T>* before) {
  using Acc = ScanType<T>;
  const int64_t begin = blockIdx.x * kScanChunk;
  const auto store = [&](int64_t i, Acc sum) { row.Store(i, sum); };
  ScanTiles(row, begin, min(begin + kScanChunk, row.dim), exclusive, before[blockIdx.x], store);
}

// A thread per column.
template <typename T>
__global__ void ScanColumnsKernel(AxisShape shape, ScanOptions options, const T* x, T* out) {
  using Acc = ScanType<T>;
  const int64_t columns = shape.outer * shape.inner;
  const int64_t step = options.reverse ? -shape.inner : shape.inner;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < columns; i += int64_t(gridDim.x) * blockDim.x) {
    int64_t at = i / shape.inner * shape.dim * shape.inner + i % shape.inner;
    if (options.reverse) at += (shape.dim - 1) * shape.inner;
    Acc sum(0);
    for (int64_t d = 0; d < shape.dim; ++d, at += step) {
      const Acc before = sum;
      sum = sum + Convert<Acc>(x[at]);
      out[at] = Convert<T>(options.exclusive ? before : sum);
    }
  }
}

template <typename T>
void ScanOneRow(const GPUContext& dev_ctx, const ScanRow<T>& row, bool exclusive) {
  using Acc = ScanType<T>;
  const unsigned chunks = backends::gpu::GridSize(row.dim, kScanChunk);
  DenseTensor scratch;  // the sums of the chunks, and of those before each
  scratch.Resize({2 * int64_t(chunks) * int64_t(sizeof(Acc))});
  Acc* sums = reinterpret_cast<Acc*>(dev_ctx.Alloc<uint8_t>(&scratch));
  Acc* before = sums + chunks;
  const dim3 block(kScanThreads);
  backends::gpu::Launch(dev_ctx, &SumChunksKernel<T>, dim3(chunks), block, row, sums);
  const ScanOptions add_up{/*exclusive=*/true, /*reverse=*/false};
  backends::gpu::Launch(
      dev_ctx, &ScanRowsKernel<Acc>, dim3(1), block, int64_t{1}, int64_t(chunks), add_up, sums, before);
  backends::gpu::Launch(dev_ctx, &ScanChunksKernel<T>, dim3(chunks), block, row, exclusive, before);
}

template <typename T>
void ScanAxis(const GPUContext& dev_ctx, const AxisShape& shape, const ScanOptions& options, const T* x, T* out) {
  if (shape.inner > 1) {
    const unsigned blocks = backends::gpu::WalkedGrid((shape.outer * shape.inner + 127) / 128);
    backends::gpu::Launch(dev_ctx, &ScanColumnsKernel<T>, dim3(blocks), dim3(128), shape, options, x, out);
  } else if (shape.outer == 1 && shape.dim > 4 * kScanChunk) {
    ScanOneRow(dev_ctx, ScanRow<T>{x, out, shape.dim, options.reverse}, options.exclusive);
  } else {
    const dim3 grid(backends::gpu::WalkedGrid(shape.outer));
    backends::gpu::Launch(
        dev_ctx, &ScanRowsKernel<T>, grid, dim3(kScanThreads), shape.outer, shape.dim, options, x, out);
  }
}

}  // namespace phi::primitive::detail
