// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "kernels/funcs/norm_params_cpu.h"

namespace phi::funcs {

// sums[width] = the sum of what add(begin, end, to) adds to `to[width]` for the rows [begin, end), a few at a time.
// Rows run in parallel, in chunks cut by the shape alone, so that the sums do not depend on the number of threads.
// `work` is the size of a row.
template <typename MT, typename Add>
void SumRows(const CPUContext& dev_ctx, int64_t rows, int64_t work, int64_t width, MT* sums, const Add& add) {
  constexpr int64_t kMaxChunks = 64;
  constexpr int64_t kBlock = 64;  // rows that stay in the cache while `add` walks their columns
  const int64_t wanted = std::clamp<int64_t>(rows * work / primitive::kGrain, 1, kMaxChunks);
  const int64_t chunk_rows = std::max<int64_t>(1, CeilDiv(rows, wanted));
  const int64_t chunks = CeilDiv(rows, chunk_rows);
  const auto add_chunk = [&](int64_t chunk, MT* to) {
    const int64_t end = std::min(rows, (chunk + 1) * chunk_rows);
    for (int64_t row = chunk * chunk_rows; row < end; row += kBlock) add(row, std::min(end, row + kBlock), to);
  };
  std::fill_n(sums, width, MT(0));
  if (chunks <= 1) return add_chunk(0, sums);
  Scratch<MT> scratch(dev_ctx, chunks * width);
  MT* partial = scratch.data();
  ParallelFor(chunks, 1, [&](int64_t first, int64_t last) {
    std::fill(partial + first * width, partial + last * width, MT(0));
    for (int64_t chunk = first; chunk < last; ++chunk) add_chunk(chunk, partial + chunk * width);
  });
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    primitive::VecMap(
        width,
        sums,
        [](const primitive::Vec<MT>& a, const primitive::Vec<MT>& b) { return a + b; },
        sums,
        partial + chunk * width);
  }
}

}  // namespace phi::funcs
