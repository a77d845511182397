// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace cub {

// As CUB's, it leaves its storage in use: a barrier has to come before that is used again.
template <typename T, int kThreads>
class BlockScan {
  static_assert((kThreads & (kThreads - 1)) == 0);

 public:
  struct TempStorage {
    T sums[2 * kThreads];  // a heap, with those of the threads last
  };
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  void ExclusiveSum(T in, T& out, T& total) {
    T ins[1] = {in};
    T outs[1];
    ExclusiveScan(ins, outs, T(0), [](T a, T b) { return a + b; }, total);
    out = outs[0];
  }
  template <int n, typename Op>
  void ExclusiveScan(T (&in)[n], T (&out)[n], T first, Op op, T& total) {
    T running = Before(in, first, op, total);
    for (int i = 0; i < n; ++i) {
      const T next = op(running, in[i]);
      out[i] = running;
      running = next;
    }
  }
  template <int n, typename Op>
  void InclusiveScan(T (&in)[n], T (&out)[n], Op op, T& total) {
    T running = Before(in, T(0), op, total);
    for (int i = 0; i < n; ++i) out[i] = running = op(running, in[i]);
  }

 private:
  // The sum of what the threads before this one have.
  template <int n, typename Op>
  T Before(const T (&in)[n], T first, Op op, T& total) {
    const int own = static_cast<int>(::phi::emulated::LinearIndex());
    T sum = in[0];
    for (int i = 1; i < n; ++i) sum = op(sum, in[i]);
    // in pairs, as CUB does: the sum of a thread's numbers is rounded few times
    storage_.sums[kThreads + own] = sum;
    __syncthreads();
    for (int i = kThreads - 1; own == 0 && i > 0; --i)
      storage_.sums[i] = op(storage_.sums[2 * i], storage_.sums[2 * i + 1]);
    __syncthreads();
    T before = first;
    for (int width = kThreads, begin = 0; width > 0; width /= 2) {
      if ((own & width) == 0) continue;
      before = op(before, storage_.sums[(kThreads + begin) / width]);
      begin += width;
    }
    total = storage_.sums[1];
    return before;
  }

  TempStorage& storage_;
};

}  // namespace cub
