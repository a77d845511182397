// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

// Matrix products on the CPU that torch would take longer to begin than to compute.
namespace phi::primitive {

// The last two dimensions of an operand, after op(), and the dimensions before them.
struct MatMulOperand {
  const DenseTensor& tensor;
  int64_t rows = 1;
  int64_t cols = 1;
  int64_t row_stride = 1;
  int64_t col_stride = 1;
  DDim batch;
  DDim batch_strides;

  MatMulOperand(const DenseTensor& t, bool trans, bool is_left) : tensor(t) {
    const int rank = t.dims().size();
    PADDLE_ENFORCE(rank > 0, errors::InvalidArgument("matmul: a tensor without dimensions is no operand"));
    if (rank == 1) {
      (is_left ? cols : rows) = t.dims()[0];
      (is_left ? col_stride : row_stride) = t.strides()[0];
      return;
    }
    const int row_dim = trans ? rank - 1 : rank - 2;
    const int col_dim = trans ? rank - 2 : rank - 1;
    rows = t.dims()[row_dim];
    cols = t.dims()[col_dim];
    row_stride = t.strides()[row_dim];
    col_stride = t.strides()[col_dim];
    batch = slice_ddim(t.dims(), 0, rank - 2);
    batch_strides = slice_ddim(t.strides(), 0, rank - 2);
  }

  // Makes the batch dimensions more rows; false when the strides do not allow it.
  bool FoldBatchIntoRows() {
    int64_t folded = rows;
    int64_t stride = row_stride;
    for (int i = batch.size() - 1; i >= 0; --i) {
      if (batch[i] == 1) continue;
      if (folded == 1) stride = batch_strides[i];
      if (batch_strides[i] != stride * folded) return false;
      folded *= batch[i];
    }
    rows = folded;
    row_stride = stride;
    batch = DDim();
    return true;
  }

  // The stride of dimension i of a batch of `rank` dimensions, along which the operand may repeat.
  int64_t BatchStride(int i, int rank) const {
    const int own = i - (rank - batch.size());
    return own < 0 || batch[own] == 1 ? 0 : batch_strides[own];
  }
};

// out = x @ y for each of a batch of the shape `batch`, or added to it; false, and nothing is done, if this is not the
// way: another device or type, or a batch that is worth threads.
bool MatMulOnCpu(const MatMulOperand& x, const MatMulOperand& y, const DDim& batch, bool accumulate, DenseTensor* out);

}  // namespace phi::primitive
