// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/cpu/vec/vec.h>

#include <algorithm>
#include <cstdint>

#include "primitive/cpu/stream.h"

namespace phi::primitive::detail {

// Flat, so that the sizes, which are constants, need no check of ATen's at run time.
template <typename E, int block>
[[gnu::flatten]] inline void TransposeBlock(const E* in, int64_t in_stride, E* out, int64_t out_stride, bool stream) {
  if (!stream) return at::vec::transpose_mxn<E, block, block>(in, in_stride, out, out_stride);
  alignas(kLine) E lines[block * block];
  at::vec::transpose_mxn<E, block, block>(in, in_stride, lines, block);
  for (int i = 0; i < block; ++i) StreamLine(out + i * out_stride, lines + i * block);
}

// out[r, c] = in[c, r]: in registers where ATen has a transposition of whole blocks for E. With `stream` past the
// caches; the next tile is then `ahead` of this one.
template <typename E>
void TransposeTile(const E* in,
                   int64_t in_stride,
                   E* out,
                   int64_t out_stride,
                   int64_t rows,
                   int64_t cols,
                   bool stream = false,
                   int64_t ahead = 0) {
  constexpr int kBlock = sizeof(E) == 2 ? 32 : sizeof(E) == 4 ? 16 : 8;
  for (int64_t r = 0; r < rows; r += kBlock) {
    for (int64_t c = 0; c < cols; c += kBlock) {
      const E* const from = in + c * in_stride + r;
      E* const to = out + r * out_stride + c;
      for (int i = 0; stream && i < kBlock; ++i) __builtin_prefetch(from + ahead + i * in_stride);
      if (rows - r >= kBlock && cols - c >= kBlock) {
        TransposeBlock<E, kBlock>(from, in_stride, to, out_stride, stream && kBlock * sizeof(E) == kLine);
        continue;
      }
      for (int64_t i = 0; i < std::min<int64_t>(kBlock, rows - r); ++i) {
        for (int64_t j = 0; j < std::min<int64_t>(kBlock, cols - c); ++j)
          to[i * out_stride + j] = from[j * in_stride + i];
      }
    }
  }
}

}  // namespace phi::primitive::detail
