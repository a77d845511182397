// SPDX-License-Identifier: Apache-2.0
#include "kernels/funcs/blas.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>

#include <limits>

#include "torch/convert.h"
#include "torch/inference_scope.h"

// MKL, inside torch, offers the BLAS interface. A torch without it has no such symbol.
extern "C" {
#define PHI_DECLARE_GEMM(name, T)                      \
  __attribute__((weak)) void name(const char* trans_a, \
                                  const char* trans_b, \
                                  const int* m,        \
                                  const int* n,        \
                                  const int* k,        \
                                  const T* alpha,      \
                                  const T* a,          \
                                  const int* lda,      \
                                  const T* b,          \
                                  const int* ldb,      \
                                  const T* beta,       \
                                  T* c,                \
                                  const int* ldc);
PHI_DECLARE_GEMM(sgemm_, float)
PHI_DECLARE_GEMM(dgemm_, double)
#undef PHI_DECLARE_GEMM
}

namespace phi::funcs {

namespace {

// A torch tensor over the memory of `tensor`, with a shape and strides of its own.
at::Tensor Borrow(const DenseTensor& tensor, at::IntArrayRef sizes, at::IntArrayRef strides) {
  const at::Device device = torch_bridge::ToTorch(tensor.place());
  return at::for_blob(const_cast<void*>(tensor.data()), sizes)
      .strides(strides)
      .options(at::TensorOptions().dtype(torch_bridge::ToTorch(tensor.dtype())).device(device))
      .target_device(device)
      .make_tensor();
}

// The last two dimensions of an operand, after op(), and the dimensions before them.
struct Operand {
  const DenseTensor& tensor;
  int64_t rows = 1;
  int64_t cols = 1;
  int64_t row_stride = 1;
  int64_t col_stride = 1;
  std::vector<int64_t> batch;
  std::vector<int64_t> batch_strides;

  Operand(const DenseTensor& t, bool trans, bool is_left) : tensor(t) {
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
    batch.assign(t.dims().begin(), t.dims().begin() + rank - 2);
    batch_strides.assign(t.strides().begin(), t.strides().begin() + rank - 2);
  }

  // Makes the batch dimensions more rows; false when the strides do not allow it.
  bool FoldBatchIntoRows() {
    int64_t folded = rows;
    int64_t stride = row_stride;
    for (int i = static_cast<int>(batch.size()) - 1; i >= 0; --i) {
      if (batch[i] == 1) continue;
      if (folded == 1) stride = batch_strides[i];
      if (batch_strides[i] != stride * folded) return false;
      folded *= batch[i];
    }
    rows = folded;
    row_stride = stride;
    batch.clear();
    return true;
  }

  at::Tensor AsMatrix() const { return Borrow(tensor, {rows, cols}, {row_stride, col_stride}); }

  at::Tensor AsBatch(const std::vector<int64_t>& out_batch, int64_t batch_size) const {
    std::vector<int64_t> sizes = batch;
    std::vector<int64_t> strides = batch_strides;
    sizes.insert(sizes.end(), {rows, cols});
    strides.insert(strides.end(), {row_stride, col_stride});
    std::vector<int64_t> expanded = out_batch;
    expanded.insert(expanded.end(), {rows, cols});
    return Borrow(tensor, sizes, strides).expand(expanded).reshape({batch_size, rows, cols});
  }
};

// How BLAS sees a row-major operand; `ok` is false when neither of its strides is 1.
struct BlasOperand {
  bool ok;
  char trans;
  int leading;

  explicit BlasOperand(const Operand& o) {
    const bool plain = o.col_stride == 1 || o.cols == 1;
    const int64_t stride = plain ? o.row_stride : o.col_stride;
    const int64_t width = plain ? o.cols : o.rows;
    const int64_t lines = plain ? o.rows : o.cols;
    trans = plain ? 'N' : 'T';
    const int64_t wanted = lines == 1 ? std::max<int64_t>(width, 1) : stride;
    ok = (plain || o.row_stride == 1 || o.rows == 1) && wanted >= width && wanted <= std::numeric_limits<int>::max();
    leading = static_cast<int>(wanted);
  }
};

template <typename T, typename Gemm>
bool BlasGemm(Gemm gemm, const Operand& x, const Operand& y, bool accumulate, DenseTensor* out) {
  const BlasOperand a(x);
  const BlasOperand b(y);
  const int64_t limit = std::numeric_limits<int>::max();
  if (gemm == nullptr || !a.ok || !b.ok || x.rows > limit || x.cols > limit || y.cols > limit) return false;
  // BLAS is column-major: it computes the transpose, out^T = y^T @ x^T
  const int m = static_cast<int>(y.cols);
  const int n = static_cast<int>(x.rows);
  const int k = static_cast<int>(x.cols);
  const T one = 1;
  const T beta = accumulate ? 1 : 0;
  gemm(&b.trans,
       &a.trans,
       &m,
       &n,
       &k,
       &one,
       y.tensor.data<T>(),
       &b.leading,
       x.tensor.data<T>(),
       &a.leading,
       &beta,
       out->data<T>(),
       &m);
  return true;
}

bool BlasGemm(const Operand& x, const Operand& y, const MatMulOptions& options, DenseTensor* out) {
  if (out->place().GetType() != AllocationType::CPU || x.cols == 0) return false;
  if (out->dtype() == DataType::FLOAT32) return BlasGemm<float>(&sgemm_, x, y, options.accumulate, out);
  if (out->dtype() == DataType::FLOAT64) return BlasGemm<double>(&dgemm_, x, y, options.accumulate, out);
  return false;
}

std::vector<int64_t> BroadcastBatch(const Operand& x, const Operand& y) {
  const Operand& longer = x.batch.size() >= y.batch.size() ? x : y;
  const Operand& shorter = &longer == &x ? y : x;
  std::vector<int64_t> batch = longer.batch;
  const size_t offset = longer.batch.size() - shorter.batch.size();
  for (size_t i = 0; i < shorter.batch.size(); ++i) {
    if (batch[offset + i] == 1) batch[offset + i] = shorter.batch[i];
  }
  return batch;
}

}  // namespace

void MatMul(const DeviceContext& ctx,
            const DenseTensor& x,
            bool trans_x,
            const DenseTensor& y,
            bool trans_y,
            DenseTensor* out,
            const MatMulOptions& options) {
  if (!out->initialized()) ctx.Alloc(out, x.dtype());
  if (out->numel() == 0) return;
  Operand left(x, trans_x, true);
  Operand right(y, trans_y, false);
  const bool is_single = right.batch.empty() && (left.batch.empty() || left.FoldBatchIntoRows());
  if (is_single && BlasGemm(left, right, options, out)) return;

  const torch_bridge::InferenceScope scope;
  const auto conj = [](at::Tensor tensor, bool wanted) { return wanted ? tensor.conj() : tensor; };
  if (is_single) {
    const at::Tensor a = conj(left.AsMatrix(), options.conj_x);
    const at::Tensor b = conj(right.AsMatrix(), options.conj_y);
    at::Tensor result = Borrow(*out, {left.rows, right.cols}, {right.cols, 1});
    options.accumulate ? at::addmm_out(result, result, a, b) : at::mm_out(result, a, b);
    return;
  }
  const std::vector<int64_t> batch = BroadcastBatch(left, right);
  int64_t batch_size = 1;
  for (const int64_t size : batch) batch_size *= size;
  const at::Tensor a = conj(left.AsBatch(batch, batch_size), options.conj_x);
  const at::Tensor b = conj(right.AsBatch(batch, batch_size), options.conj_y);
  at::Tensor result = Borrow(*out, {batch_size, left.rows, right.cols}, {left.rows * right.cols, right.cols, 1});
  options.accumulate ? at::baddbmm_out(result, result, a, b) : at::bmm_out(result, a, b);
}

}  // namespace phi::funcs
