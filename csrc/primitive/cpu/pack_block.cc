// SPDX-License-Identifier: Apache-2.0
#include "primitive/pack_block.h"

#include "primitive/cpu/transpose_tile.h"
#include "primitive/loop/copy_run.h"

namespace phi::primitive {

namespace {

void PackBlockOnCpu(const MatrixBlock& from, float* to, int64_t stride, int64_t rows, int64_t cols) {
  if (from.col_stride == 1) {
    for (int64_t i = 0; i < from.rows; ++i) CopyRun(from.data + i * from.row_stride, to + i * stride, from.cols);
  } else if (from.row_stride == 1) {
    detail::TransposeTile(from.data, from.col_stride, to, stride, from.rows, from.cols);
  } else {
    for (int64_t i = 0; i < from.rows; ++i) {
      for (int64_t j = 0; j < from.cols; ++j) to[i * stride + j] = from.data[i * from.row_stride + j * from.col_stride];
    }
  }
  for (int64_t i = 0; i < from.rows; ++i) ZeroRun(to + i * stride + from.cols, cols - from.cols);
  for (int64_t i = from.rows; i < rows; ++i) ZeroRun(to + i * stride, cols);
}

[[maybe_unused]] const bool pack_block_registered =
    RegisterPrimitive<PackBlock>(Backend::CPU, &PackBlockOnCpu, DataType::FLOAT32);

}  // namespace

}  // namespace phi::primitive
