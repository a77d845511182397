// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "backends/cpu/cpu_context.h"
#include "common/hostdevice.h"
#include "core/parallel.h"

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

template <typename Function>
void RunForEachRun(const CPUContext&, int64_t rows, int64_t width, const Function& f) {
  constexpr int64_t kGrain = 32768;
  ParallelFor(rows, std::max<int64_t>(1, kGrain / width), [&](int64_t begin, int64_t end) {
    const Function function = f;
    for (int64_t row = begin; row < end; ++row) function(row, int64_t{0}, width);
  });
}

}  // namespace phi::primitive::detail
