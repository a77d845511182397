// SPDX-License-Identifier: Apache-2.0
#include "torch/libraries/cpu_gemm.h"

#include <algorithm>
#include <limits>

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
__attribute__((weak)) int MKL_Set_Num_Threads_Local(int count);  // gives what it was
}

namespace phi::primitive {

namespace {

// How BLAS sees a row-major operand; `ok` is false when neither of its strides is 1.
struct BlasOperand {
  bool ok;
  char trans;
  int leading;

  explicit BlasOperand(const MatMulOperand& o) {
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
// Those of fewer take less than other threads take to join, which the library has them do for any product.
constexpr int64_t kOfOneThread = 1 << 18;

// The library works in the thread that calls it.
class OneThread {
 public:
  explicit OneThread(bool is_one)
      : before_(is_one && MKL_Set_Num_Threads_Local != nullptr ? MKL_Set_Num_Threads_Local(1) : kUnchanged) {}
  ~OneThread() {
    if (before_ != kUnchanged) MKL_Set_Num_Threads_Local(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  static constexpr int kUnchanged = -1;
  const int before_;
};

// out = x @ y, or added to it; `a` and `b` are the elements of this matrix of x and y.
template <typename T>
void SmallGemm(
    const MatMulOperand& x, const T* a, const MatMulOperand& y, const T* b, bool accumulate, T* __restrict out) {
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
  CpuGemm(const MatMulOperand& x, const MatMulOperand& y, bool accumulate)
      : x_(x), y_(y), a_(x), b_(y), accumulate_(accumulate) {
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
    const OneThread in_this_one(x_.rows * x_.cols * y_.cols <= kOfOneThread);
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

  const MatMulOperand& x_;
  const MatMulOperand& y_;
  BlasOperand a_;
  BlasOperand b_;
  bool accumulate_;
  bool fits_blas_;
  bool is_small_;
};

// All products of a batch of the shape `batch`, one after the other; false if this is not the way.
template <typename T>
bool Run(const MatMulOperand& x, const MatMulOperand& y, const DDim& batch, bool accumulate, DenseTensor* out) {
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

}  // namespace

bool MatMulOnCpu(const MatMulOperand& x, const MatMulOperand& y, const DDim& batch, bool accumulate, DenseTensor* out) {
  if (out->place().GetType() != AllocationType::CPU) return false;
  if (out->dtype() == DataType::FLOAT32) return Run<float>(x, y, batch, accumulate, out);
  if (out->dtype() == DataType::FLOAT64) return Run<double>(x, y, batch, accumulate, out);
  return false;
}

}  // namespace phi::primitive
