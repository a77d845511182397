// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cub/block/block_scan.cuh>

#include "primitive/loop/order_key.h"

// Selection by radix: a block finds the k-th best element of a line digit by digit, then gathers the k best.
namespace phi::primitive {

struct TopkLine {
  int64_t size;
  int64_t stride;  // between its elements
  int64_t k;
  bool largest;
};

constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits;

// The key of the k-th best element, and how many elements of exactly this key belong to the k best. Before it is called
// again the block must meet: `remaining` is read at its end.
template <typename T>
__device__ void FindThreshold(const T* data, const TopkLine& line, OrderKey<T>* threshold, int64_t* ties) {
  using U = OrderKey<T>;
  __shared__ unsigned long long histogram[kDigits];
  __shared__ int chosen;
  __shared__ int64_t remaining;
  U prefix = 0;
  U mask = 0;
  if (threadIdx.x == 0) remaining = line.k;
  for (int shift = static_cast<int>(sizeof(U)) * 8 - kDigitBits; shift >= 0; shift -= kDigitBits) {
    for (int i = threadIdx.x; i < kDigits; i += blockDim.x) histogram[i] = 0;
    __syncthreads();
    for (int64_t i = threadIdx.x; i < line.size; i += blockDim.x) {
      const U key = ToOrderKey(data[i * line.stride], line.largest);
      if ((key & mask) == prefix) atomicAdd(&histogram[(key >> shift) & (kDigits - 1)], 1ull);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int digit = kDigits - 1;
      while (static_cast<int64_t>(histogram[digit]) < remaining) remaining -= static_cast<int64_t>(histogram[digit--]);
      chosen = digit;
    }
    __syncthreads();
    prefix |= static_cast<U>(static_cast<U>(chosen) << shift);
    mask |= static_cast<U>(static_cast<U>(kDigits - 1) << shift);
  }
  *threshold = prefix;
  *ties = remaining;
}

// Writes key and index of the k best elements: first those better than the k-th, then its equals, both by index.
template <typename T, int kThreads>
__device__ void GatherBest(
    const T* data, const TopkLine& line, OrderKey<T> threshold, int64_t ties, OrderKey<T>* keys, int64_t* indices) {
  using Scan = cub::BlockScan<int, kThreads>;
  __shared__ typename Scan::TempStorage storage;
  int64_t better_base = 0;
  int64_t tie_base = line.k - ties;
  for (int64_t first = 0; first < line.size && (better_base < line.k - ties || tie_base < line.k); first += kThreads) {
    const int64_t i = first + threadIdx.x;
    const OrderKey<T> key = i < line.size ? ToOrderKey(data[i * line.stride], line.largest) : OrderKey<T>(0);
    const int is_better = i < line.size && key > threshold;
    const int is_tie = i < line.size && key == threshold;
    // both counts in one scan: a block has fewer than 2^16 threads
    int rank;
    int total;
    Scan(storage).ExclusiveSum(is_better | is_tie << 16, rank, total);
    __syncthreads();
    const int64_t at = is_better ? better_base + (rank & 0xffff) : tie_base + (rank >> 16);
    if (is_better || (is_tie && at < line.k)) {
      keys[at] = key;
      indices[at] = i;
    }
    better_base += total & 0xffff;
    tie_base += total >> 16;
  }
}

}  // namespace phi::primitive
