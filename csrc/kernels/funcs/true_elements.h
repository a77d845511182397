// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/all_context.h"
#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/memcpy.h"
#include "primitive/scan.h"

// The elements of a tensor that are not zero, in order: how many there are, and the number of each.
namespace phi::funcs {

// f(begin, end) for runs of elements, with their number: of many for a thread of the CPU, of few for one of a GPU.
template <typename Context>
inline constexpr int64_t kRunOf = std::is_same_v<Context, CPUContext> ? 4096 : 64;

template <typename Context, typename Function>
void ForEachRunOf(const Context& dev_ctx, int64_t n, const Function& f) {
  constexpr int64_t kRun = kRunOf<Context>;
  const int64_t runs = CeilDiv(n, kRun);
  if constexpr (std::is_same_v<Context, CPUContext>) {
    ParallelFor(runs, 8, [&](int64_t begin, int64_t end) {
      for (int64_t run = begin; run < end; ++run) f(run, run * kRun, run + 1 < runs ? (run + 1) * kRun : n);
    });
  } else {
    primitive::ForEach(
        dev_ctx, runs, [=] HOSTDEVICE(int64_t run) { f(run, run * kRun, run + 1 < runs ? (run + 1) * kRun : n); });
  }
}

class TrueElements {
 public:
  template <typename T, typename Context>
  static TrueElements Of(const Context& dev_ctx, const T* x, int64_t n) {
    constexpr int64_t kRun = kRunOf<Context>;
    TrueElements found;
    const int64_t runs = CeilDiv(n, kRun);
    if (runs == 0) return found;
    found.starts_ = primitive::EmptyTensor<int64_t>(dev_ctx, {runs + 1});
    int64_t* counts = found.starts_.template data<int64_t>();
    primitive::ForEach(dev_ctx, 1, [=] HOSTDEVICE(int64_t) { counts[runs] = 0; });
    ForEachRunOf(dev_ctx, n, [=] HOSTDEVICE(int64_t run, int64_t begin, int64_t end) {
      int64_t count = 0;
      for (int64_t i = begin; i < end; ++i) count += x[i] != T(0);
      counts[run] = count;
    });
    const primitive::AxisShape all(found.starts_.dims(), 0);
    DenseTensor sums = found.starts_;
    primitive::CumulativeSum(dev_ctx, found.starts_, all, {.exclusive = true}, &sums);
    const auto copy = GetPrimitive<primitive::Memcpy>(dev_ctx, primitive::MemcpyKind::kDeviceToHost);
    copy(dev_ctx, &found.count_, counts + runs, sizeof(int64_t));
    dev_ctx.Wait();
    return found;
  }

  int64_t count() const { return count_; }

  // use(i, number, is_true) for each element; the number is how many true ones come before it.
  template <typename T, typename Context, typename Use>
  void Visit(const Context& dev_ctx, const T* x, int64_t n, const Use& use) const {
    if (n == 0) return;
    const int64_t* starts = starts_.data<int64_t>();
    ForEachRunOf(dev_ctx, n, [=] HOSTDEVICE(int64_t run, int64_t begin, int64_t end) {
      int64_t number = starts[run];
      for (int64_t i = begin; i < end; ++i) {
        const bool is_true = x[i] != T(0);
        use(i, number, is_true);
        number += is_true;
      }
    });
  }

 private:
  DenseTensor starts_;  // of each run of elements, the number of its first true one
  int64_t count_ = 0;
};

}  // namespace phi::funcs
