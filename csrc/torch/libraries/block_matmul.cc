// SPDX-License-Identifier: Apache-2.0
#include "torch/libraries/block_matmul.h"

#include <ATen/native/CPUBlas.h>

#include <algorithm>
#include <cstring>

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/pack_block.h"
#include "torch/libraries/onednn.h"

// oneDNN makes code for each size and stride of a block, and keeps it. So all blocks are packed to a few sizes, filled
// with zeros, with the strides that these have.
namespace phi::primitive {

namespace {

constexpr int64_t kDepth = 256;         // of a block
constexpr int64_t kPanel = 8 * kBlock;  // rows that are multiplied with the same packed columns
// To multiples of these blocks are filled.
constexpr int64_t kRowStep = 8;
constexpr int64_t kColumnStep = 16;
constexpr int64_t kDepthStep = 32;

// A part of a matrix.
MatrixBlock Part(const MatrixBlock& whole, int64_t row, int64_t rows, int64_t col, int64_t cols) {
  return {whole.data + row * whole.row_stride + col * whole.col_stride,
          std::min(rows, whole.rows - row),
          std::min(cols, whole.cols - col),
          whole.row_stride,
          whole.col_stride};
}

// The memory of one thread, and what it does there.
class Worker {
 public:
  Worker(const DeviceContext& ctx, PackBlock::Fn pack, int64_t rows, int64_t depth)
      : pack_(pack),
        depth_(RoundUp(depth, kDepthStep)),
        rows_(EmptyTensor<float>(ctx, {RoundUp(std::min(rows, kPanel), kRowStep), depth_})),
        columns_(EmptyTensor<float>(ctx, {std::min(depth_, kDepth), kBlock})),
        products_(EmptyTensor<float>(ctx, {rows_.dims()[0], kBlock})) {}

  // Packs no more than kPanel rows, as blocks of kBlock rows and kDepth columns, one behind the other.
  void SetRows(const MatrixBlock& x) {
    count_ = x.rows;
    ForEachBlock([&](int64_t row, int64_t k, int64_t rows, int64_t depth, float* packed) {
      pack_(Part(x, row, kBlock, k, kDepth), packed, depth, rows, depth);
    });
  }

  // out = the rows @ y of no more than kBlock columns, or added to it.
  void Multiply(const MatrixBlock& y, bool accumulate, float* out, int64_t stride) {
    const int64_t columns = RoundUp(y.cols, kColumnStep);
    float* const packed_columns = columns_.data<float>();
    float* const products = products_.data<float>();
    ForEachBlock([&](int64_t row, int64_t k, int64_t rows, int64_t depth, const float* packed) {
      if (row == 0) pack_(Part(y, k, kDepth, 0, kBlock), packed_columns, kBlock, depth, columns);
      at::native::cpublas::brgemm(
          rows, columns, depth, depth, kBlock, kBlock, k > 0, packed, packed_columns, products + row * kBlock, false);
    });
    for (int64_t i = 0; i < count_; ++i) {
      const float* const from = products + i * kBlock;
      float* const to = out + i * stride;
      if (accumulate) {
        for (int64_t j = 0; j < y.cols; ++j) to[j] += from[j];
      } else {
        std::memcpy(to, from, y.cols * sizeof(float));
      }
    }
  }

 private:
  // use(row, column, rows, columns, packed) for the blocks of the rows, all of a depth before those of the next one.
  template <typename Use>
  void ForEachBlock(const Use& use) {
    const int64_t all = RoundUp(count_, kRowStep);
    for (int64_t k = 0; k < depth_; k += kDepth) {
      const int64_t depth = std::min(kDepth, depth_ - k);
      for (int64_t row = 0; row < all; row += kBlock) {
        use(row, k, std::min(kBlock, all - row), depth, rows_.data<float>() + k * all + row * depth);
      }
    }
  }

  const PackBlock::Fn pack_;
  const int64_t depth_;
  int64_t count_ = 0;  // of the rows
  DenseTensor rows_, columns_, products_;
};

// One matrix of a batch.
MatrixBlock MatrixOf(const MatMulOperand& o, const DDim& batch, int64_t index) {
  const float* data = o.tensor.data<float>();
  for (int i = batch.size() - 1; i >= 0; index /= batch[i--]) data += index % batch[i] * o.BatchStride(i, batch.size());
  return {data, o.rows, o.cols, o.row_stride, o.col_stride};
}

bool IsWorthBlocks(int64_t rows, int64_t depth, int64_t columns) {
  constexpr int64_t kLeast = 1 << 17;  // multiplications
  return rows >= 2 * kRowStep && columns >= kColumnStep && depth >= kDepthStep && rows * columns * depth >= kLeast;
}

}  // namespace

bool MatMulInBlocks(const DeviceContext& ctx,
                    const MatMulOperand& x,
                    const MatMulOperand& y,
                    const DDim& batch,
                    bool accumulate,
                    DenseTensor* out) {
  if (out->dtype() != DataType::FLOAT32 || out->place().GetType() != AllocationType::CPU) return false;
  if (!IsWorthBlocks(x.rows, x.cols, y.cols) || !HasFloatBlocks()) return false;
  const auto pack = FindPrimitive<PackBlock>(Backend::CPU, DataType::FLOAT32);
  if (pack == nullptr) return false;
  const int64_t panels = CeilDiv(x.rows, kPanel);
  const int64_t strips = CeilDiv(y.cols, kBlock);
  float* const to = out->data<float>();
  const int64_t grain = 1 + kWorthThread / (std::min(x.rows, kPanel) * x.cols * kBlock);
  ParallelFor(product(batch) * panels * strips, grain, [&](int64_t begin, int64_t end) {
    Worker worker(ctx, pack, x.rows, x.cols);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t strip = task % strips, panel = task / strips % panels, index = task / strips / panels;
      if (task == begin || strip == 0) {
        worker.SetRows(Part(MatrixOf(x, batch, index), panel * kPanel, kPanel, 0, x.cols));
      }
      const MatrixBlock columns = Part(MatrixOf(y, batch, index), 0, y.rows, strip * kBlock, kBlock);
      float* const first = to + (index * x.rows + panel * kPanel) * y.cols + strip * kBlock;
      worker.Multiply(columns, accumulate, first, y.cols);
    }
    at::native::cpublas::brgemm_release();
  });
  return true;
}

}  // namespace phi::primitive
