// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>

#include "backends/all_context.h"
#include "primitive/loop/tensor_view.h"

namespace phi::funcs {

// Calls use(begin, end) for parts of the first dimension, which has `rows` rows of `width` elements, so that what lies
// between two passes over a part stays in the caches of the CPU, and is not large on a GPU.
template <typename Context, typename Use>
void ForEachRowBlock(const Context&, int64_t rows, int64_t width, const Use& use) {
  constexpr bool kOnCpu = std::is_base_of_v<CPUContext, Context>;
  constexpr int64_t kElements = kOnCpu ? int64_t(1) << 17 : int64_t(1) << 26;
  const int64_t block = std::max<int64_t>(1, kElements / std::max<int64_t>(1, width));
  for (int64_t begin = 0; begin < rows; begin += block) use(begin, std::min(rows, begin + block));
}

// The rows [begin, end) of a contiguous tensor.
inline DenseTensor RowsOf(const DenseTensor& tensor, int64_t begin, int64_t end) {
  DDim dims = tensor.dims();
  const int64_t width = dims[0] == 0 ? 0 : tensor.numel() / dims[0];
  dims[0] = end - begin;
  return primitive::ViewOf(tensor, dims, begin * width);
}

}  // namespace phi::funcs
