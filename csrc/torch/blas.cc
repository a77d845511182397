// SPDX-License-Identifier: Apache-2.0
#include "kernels/funcs/blas.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>

#include <algorithm>
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
  DDim batch;
  DDim batch_strides;

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

  at::Tensor AsMatrix() const { return Borrow(tensor, {rows, cols}, {row_stride, col_stride}); }

  at::Tensor AsBatch(const DDim& out_batch, int64_t batch_size) const {
    std::vector<int64_t> sizes = vectorize(batch);
    std::vector<int64_t> strides = vectorize(batch_strides);
    sizes.insert(sizes.end(), {rows, cols});
    strides.insert(strides.end(), {row_stride, col_stride});
    std::vector<int64_t> expanded = vectorize(out_batch);
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

// Products of fewer multiplications take less time than the library takes to begin.
constexpr int64_t kFewMultiplications = 512;

// out = x @ y, or added to it; `a` and `b` are the elements of this matrix of x and y.
template <typename T>
void SmallGemm(const Operand& x, const T* a, const Operand& y, const T* b, bool accumulate, T* __restrict out) {
  for (int64_t i = 0; i < x.rows; ++i, out += y.cols) {
    if (!accumulate) std::fill_n(out, y.cols, T(0));
    for (int64_t k = 0; k < x.cols; ++k) {
      const T factor = a[i * x.row_stride + k * x.col_stride];
      const T* row = b + k * y.row_stride;
      if (y.col_stride == 1) {
        for (int64_t j = 0; j < y.cols; ++j) out[j] += factor * row[j];
      } else {
        for (int64_t j = 0; j < y.cols; ++j) out[j] += factor * row[j * y.col_stride];
      }
    }
  }
}

// A product of two matrices of float or double, computed here or by BLAS.
template <typename T>
class CpuGemm {
 public:
  CpuGemm(const Operand& x, const Operand& y, bool accumulate) : x_(x), y_(y), a_(x), b_(y), accumulate_(accumulate) {
    const int64_t limit = std::numeric_limits<int>::max();
    fits_blas_ = Function() != nullptr && a_.ok && b_.ok && x.rows <= limit && x.cols <= limit && y.cols <= limit;
    is_small_ = x.rows * x.cols <= kFewMultiplications && x.rows * x.cols * y.cols <= kFewMultiplications;
  }

  bool possible() const { return x_.cols > 0 && (is_small_ || fits_blas_); }
  void Run(const T* a, const T* b, T* out) const {
    if (is_small_) return SmallGemm(x_, a, y_, b, accumulate_, out);
    // BLAS is column-major: it computes the transpose, out^T = y^T @ x^T
    const int m = static_cast<int>(y_.cols);
    const int n = static_cast<int>(x_.rows);
    const int k = static_cast<int>(x_.cols);
    const T one = 1;
    const T beta = accumulate_ ? 1 : 0;
    Function()(&b_.trans, &a_.trans, &m, &n, &k, &one, b, &b_.leading, a, &a_.leading, &beta, out, &m);
  }

 private:
  static auto Function() {
    if constexpr (std::is_same_v<T, float>) {
      return &sgemm_;
    } else {
      return &dgemm_;
    }
  }

  const Operand& x_;
  const Operand& y_;
  BlasOperand a_;
  BlasOperand b_;
  bool accumulate_;
  bool fits_blas_;
  bool is_small_;
};

// All products of a batch of the shape `batch`, one after the other; false if this is not the way.
template <typename T>
bool MatMulOnCpu(const Operand& x, const Operand& y, const DDim& batch, bool accumulate, DenseTensor* out) {
  const CpuGemm<T> gemm(x, y, accumulate);
  if (!gemm.possible()) return false;
  const T* a = x.tensor.data<T>();
  const T* b = y.tensor.data<T>();
  T* to = out->data<T>();
  const int rank = batch.size();
  if (rank == 0) {
    gemm.Run(a, b, to);
    return true;
  }
  // the library's batched product has threads, but takes a thousand multiplications to begin
  constexpr int64_t kSmallBatch = 16384;
  const int64_t products = product(batch);
  if (products * x.rows * x.cols * y.cols > kSmallBatch) return false;
  for (int64_t n = 0; n < products; ++n) {
    int64_t at_a = 0;
    int64_t at_b = 0;
    int64_t rest = n;
    for (int i = rank - 1; i >= 0; rest /= batch[i--]) {
      at_a += rest % batch[i] * x.BatchStride(i, rank);
      at_b += rest % batch[i] * y.BatchStride(i, rank);
    }
    gemm.Run(a + at_a, b + at_b, to + n * x.rows * y.cols);
  }
  return true;
}

bool MatMulOnCpu(
    const Operand& x, const Operand& y, const DDim& batch, const MatMulOptions& options, DenseTensor* out) {
  if (out->place().GetType() != AllocationType::CPU) return false;
  if (out->dtype() == DataType::FLOAT32) return MatMulOnCpu<float>(x, y, batch, options.accumulate, out);
  if (out->dtype() == DataType::FLOAT64) return MatMulOnCpu<double>(x, y, batch, options.accumulate, out);
  return false;
}

DDim BroadcastBatch(const Operand& x, const Operand& y) {
  const Operand& longer = x.batch.size() >= y.batch.size() ? x : y;
  const Operand& shorter = &longer == &x ? y : x;
  DDim batch = longer.batch;
  const int offset = longer.batch.size() - shorter.batch.size();
  for (int i = 0; i < shorter.batch.size(); ++i) {
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
  const bool is_single = right.batch.size() == 0 && (left.batch.size() == 0 || left.FoldBatchIntoRows());
  const DDim batch = is_single ? DDim() : BroadcastBatch(left, right);
  if (MatMulOnCpu(left, right, batch, options, out)) return;

  const torch_bridge::InferenceScope scope;
  const auto conj = [](at::Tensor tensor, bool wanted) { return wanted ? tensor.conj() : tensor; };
  if (is_single) {
    const at::Tensor a = conj(left.AsMatrix(), options.conj_x);
    const at::Tensor b = conj(right.AsMatrix(), options.conj_y);
    at::Tensor result = Borrow(*out, {left.rows, right.cols}, {right.cols, 1});
    options.accumulate ? at::addmm_out(result, result, a, b) : at::mm_out(result, a, b);
    return;
  }
  const int64_t batch_size = product(batch);
  const at::Tensor a = conj(left.AsBatch(batch, batch_size), options.conj_x);
  const at::Tensor b = conj(right.AsBatch(batch, batch_size), options.conj_y);
  at::Tensor result = Borrow(*out, {batch_size, left.rows, right.cols}, {left.rows * right.cols, right.cols, 1});
  options.accumulate ? at::baddbmm_out(result, result, a, b) : at::bmm_out(result, a, b);
}

}  // namespace phi::funcs
