// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

#include "backends/gpu/gpu_launch.h"
#include "kernels/funcs/axis_shape.h"
#include "primitive/convert.h"
#include "primitive/scan_options.h"

// Cumulative sums on the GPU: one long row by CUB's device-wide scan, rows by a block each, columns by a thread each.
namespace phi::primitive::detail {

template <typename T>
using GpuScanType = std::conditional_t<std::is_integral_v<T>, uint64_t, ComputeType<T>>;

// Complex numbers and what is added in shared memory, without constructors.
struct ScanPlus {
  template <typename V>
  __device__ V operator()(const V& a, const V& b) const {
    return a + b;
  }
};

constexpr int kScanThreads = 256;
constexpr int kScanItems = 8;  // of a thread

// A block per row, which it walks in tiles.
template <typename T>
__global__ void ScanRowsKernel(int64_t rows, int64_t dim, ScanOptions options, const T* x, T* out) {
  using Acc = GpuScanType<T>;
  using BlockScan = cub::BlockScan<Acc, kScanThreads>;
  __shared__ typename BlockScan::TempStorage storage;
  constexpr int64_t kTile = int64_t(kScanThreads) * kScanItems;
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T* from = x + row * dim;
    T* to = out + row * dim;
    Acc carry(0);
    for (int64_t tile = 0; tile < dim; tile += kTile) {
      const int64_t first = tile + int64_t(threadIdx.x) * kScanItems;
      Acc values[kScanItems];
      for (int k = 0; k < kScanItems; ++k) {
        const int64_t i = first + k;
        values[k] = i < dim ? Convert<Acc>(from[options.reverse ? dim - 1 - i : i]) : Acc(0);
      }
      Acc sums[kScanItems];
      Acc total(0);
      if (options.exclusive) {
        BlockScan(storage).ExclusiveScan(values, sums, Acc(0), ScanPlus(), total);
      } else {
        BlockScan(storage).InclusiveScan(values, sums, ScanPlus(), total);
      }
      for (int k = 0; k < kScanItems; ++k) {
        const int64_t i = first + k;
        if (i < dim) to[options.reverse ? dim - 1 - i : i] = Convert<T>(carry + sums[k]);
      }
      carry = carry + total;
      __syncthreads();  // before the storage is used again
    }
  }
}

// A thread per column.
template <typename T>
__global__ void ScanColumnsKernel(funcs::AxisShape shape, ScanOptions options, const T* x, T* out) {
  using Acc = GpuScanType<T>;
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

// The elements of one row as CUB's scan reads and writes them: converted, and from the other end if `reverse`.
template <typename T>
struct ScanInput {
  const T* x;
  int64_t last;
  bool reverse;

  using iterator_category = std::random_access_iterator_tag;
  using value_type = GpuScanType<T>;
  using difference_type = int64_t;
  using pointer = const value_type*;
  using reference = value_type;

  __host__ __device__ value_type operator[](int64_t i) const { return Convert<value_type>(x[reverse ? last - i : i]); }
  __host__ __device__ value_type operator*() const { return (*this)[0]; }
  __host__ __device__ ScanInput operator+(int64_t n) const { return {reverse ? x - n : x + n, last, reverse}; }
};

template <typename T>
struct ScanElement {
  T* to;
  __host__ __device__ const ScanElement& operator=(const GpuScanType<T>& sum) const {
    *to = Convert<T>(sum);
    return *this;
  }
};

template <typename T>
struct ScanOutput {
  T* out;
  int64_t last;
  bool reverse;

  using iterator_category = std::random_access_iterator_tag;
  using value_type = GpuScanType<T>;
  using difference_type = int64_t;
  using pointer = void;
  using reference = ScanElement<T>;

  __host__ __device__ ScanElement<T> operator[](int64_t i) const { return {out + (reverse ? last - i : i)}; }
  __host__ __device__ ScanElement<T> operator*() const { return (*this)[0]; }
  __host__ __device__ ScanOutput operator+(int64_t n) const { return {reverse ? out - n : out + n, last, reverse}; }
};

template <typename T>
void ScanOneRow(const GPUContext& dev_ctx, int64_t dim, const ScanOptions& options, const T* x, T* out) {
  using Acc = GpuScanType<T>;
  const ScanInput<T> input{x, dim - 1, options.reverse};
  const ScanOutput<T> output{out, dim - 1, options.reverse};
  const auto scan = [&](void* storage, size_t* bytes) {
    backends::gpu::Check(
        options.exclusive
            ? cub::DeviceScan::ExclusiveScan(storage, *bytes, input, output, ScanPlus(), Acc(0), dim, dev_ctx.stream())
            : cub::DeviceScan::InclusiveScan(storage, *bytes, input, output, ScanPlus(), dim, dev_ctx.stream()),
        "cub::DeviceScan");
  };
  size_t bytes = 0;
  scan(nullptr, &bytes);
  DenseTensor storage;
  storage.Resize({static_cast<int64_t>(bytes)});
  scan(dev_ctx.Alloc<uint8_t>(&storage), &bytes);
}

template <typename T>
void ScanAxis(
    const GPUContext& dev_ctx, const funcs::AxisShape& shape, const ScanOptions& options, const T* x, T* out) {
  if (shape.inner > 1) {
    const int64_t blocks = std::min<int64_t>((shape.outer * shape.inner + 127) / 128, 1 << 30);
    backends::gpu::Launch(dev_ctx, &ScanColumnsKernel<T>, dim3(blocks), dim3(128), shape, options, x, out);
  } else if (shape.outer == 1 && shape.dim > 16 * kScanThreads * kScanItems) {
    ScanOneRow(dev_ctx, shape.dim, options, x, out);
  } else {
    const dim3 grid(std::min<int64_t>(shape.outer, 1 << 30));
    backends::gpu::Launch(
        dev_ctx, &ScanRowsKernel<T>, grid, dim3(kScanThreads), shape.outer, shape.dim, options, x, out);
  }
}

}  // namespace phi::primitive::detail
