// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/Parallel.h>

namespace phi::primitive {

// Calls range(begin, end) for parts of [0, n) of at least `grain`, in parallel when there are several: a small n does
// not enter torch's thread pool, which takes as long as a small kernel.
template <typename Range>
void ParallelFor(int64_t n, int64_t grain, const Range& range) {
  if (n <= 0) return;
  if (n <= grain) {
    range(int64_t{0}, n);
  } else {
    at::parallel_for(0, n, grain, range);
  }
}

}  // namespace phi::primitive
