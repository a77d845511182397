// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_context.h"
#include "common/hostdevice.h"
#include "primitive/cpu/parallel.h"

namespace phi::primitive::detail {

template <typename Function>
void RunForEach(const CPUContext&, int64_t n, const Function& f) {
  constexpr int64_t kGrain = 32768;
  ParallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    const Function function = f;  // a local copy, which nothing that it writes can alias
#pragma GCC ivdep
    for (int64_t i = begin; i < end; ++i) function(i);
  });
}

}  // namespace phi::primitive::detail
