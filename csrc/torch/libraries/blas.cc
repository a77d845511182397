// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/addmm.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>

#include <limits>

#include "primitive/cast.h"
#include "primitive/matmul.h"
#include "torch/convert.h"
#include "torch/inference_scope.h"
#include "torch/libraries/block_matmul.h"
#include "torch/libraries/cpu_gemm.h"

namespace phi::primitive {

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

at::Tensor AsMatrix(const MatMulOperand& o) { return Borrow(o.tensor, {o.rows, o.cols}, {o.row_stride, o.col_stride}); }

// The batch as one dimension. Torch's functions, which take as long as a small product, make one of it where no stride
// of the memory does.
at::Tensor AsBatch(const MatMulOperand& o, const DDim& out_batch, int64_t batch_size) {
  int64_t stride = 0, inner = 1;
  bool is_one = true;
  for (int i = out_batch.size() - 1; i >= 0; --i) {
    if (out_batch[i] == 1) continue;
    const int64_t own = o.BatchStride(i, out_batch.size());
    if (inner == 1) stride = own;
    is_one = is_one && own == stride * inner;
    inner *= out_batch[i];
  }
  if (is_one) return Borrow(o.tensor, {batch_size, o.rows, o.cols}, {stride, o.row_stride, o.col_stride});
  std::vector<int64_t> sizes = vectorize(o.batch);
  std::vector<int64_t> strides = vectorize(o.batch_strides);
  sizes.insert(sizes.end(), {o.rows, o.cols});
  strides.insert(strides.end(), {o.row_stride, o.col_stride});
  std::vector<int64_t> expanded = vectorize(out_batch);
  expanded.insert(expanded.end(), {o.rows, o.cols});
  return Borrow(o.tensor, sizes, strides).expand(expanded).reshape({batch_size, o.rows, o.cols});
}

DDim BroadcastBatch(const MatMulOperand& x, const MatMulOperand& y) {
  const MatMulOperand& longer = x.batch.size() >= y.batch.size() ? x : y;
  const MatMulOperand& shorter = &longer == &x ? y : x;
  DDim batch = longer.batch;
  const int offset = longer.batch.size() - shorter.batch.size();
  for (int i = 0; i < shorter.batch.size(); ++i) {
    if (batch[offset + i] == 1) batch[offset + i] = shorter.batch[i];
  }
  return batch;
}

// Products of half types of up to so many multiplications take less time by way of float: torch takes ten microseconds
// to begin one, and where the processor has no instructions for float16 thirty times as long as in float.
int64_t MostByFloat(DataType dtype) {
#ifdef __x86_64__
  static const bool has_float16 = __builtin_cpu_supports("avx512fp16");
  if (dtype == DataType::FLOAT16 && !has_float16) return std::numeric_limits<int64_t>::max();
#endif
  return 1 << 19;
}

// A product of half types on the CPU by way of float; false, and nothing is done, if this is not the way.
bool MatmulByFloat(const DeviceContext& ctx,
                   const DenseTensor& x,
                   bool trans_x,
                   const DenseTensor& y,
                   bool trans_y,
                   int64_t multiplications,
                   DenseTensor* out,
                   const MatMulOptions& options) {
  const DataType dtype = out->dtype();
  const bool is_half = dtype == DataType::FLOAT16 || dtype == DataType::BFLOAT16;
  if (!is_half || out->place().GetType() != AllocationType::CPU || multiplications > MostByFloat(dtype)) return false;
  const bool is_built = FindPrimitive<Matmul>(Backend::CPU, DataType::FLOAT32) != nullptr &&
                        FindPrimitive<Cast>(Backend::CPU, dtype, DataType::FLOAT32) != nullptr &&
                        FindPrimitive<Cast>(Backend::CPU, DataType::FLOAT32, dtype) != nullptr;
  if (!is_built) return false;
  DenseTensor wide_x, wide_y, wide_out;
  wide_x.Resize(x.dims());
  wide_y.Resize(y.dims());
  wide_out.Resize(out->dims());
  CastTo(ctx, x, DataType::FLOAT32, &wide_x);
  CastTo(ctx, y, DataType::FLOAT32, &wide_y);
  if (options.accumulate) CastTo(ctx, *out, DataType::FLOAT32, &wide_out);
  MatMul(ctx, wide_x, trans_x, wide_y, trans_y, &wide_out, options);
  CastTo(ctx, wide_out, dtype, out);
  return true;
}

void TorchMatmul(const DeviceContext& ctx,
                 const DenseTensor& x,
                 bool trans_x,
                 const DenseTensor& y,
                 bool trans_y,
                 DenseTensor* out,
                 const MatMulOptions& options) {
  if (!out->initialized()) ctx.Alloc(out, x.dtype());
  if (out->numel() == 0) return;
  MatMulOperand left(x, trans_x, true);
  MatMulOperand right(y, trans_y, false);
  const bool is_single = right.batch.size() == 0 && (left.batch.size() == 0 || left.FoldBatchIntoRows());
  const DDim batch = is_single ? DDim() : BroadcastBatch(left, right);
  if (MatMulInBlocks(ctx, left, right, batch, options.accumulate, out)) return;
  if (MatMulOnCpu(left, right, batch, options.accumulate, out)) return;
  if (MatmulByFloat(ctx, x, trans_x, y, trans_y, out->numel() * left.cols, out, options)) return;

  const torch_bridge::InferenceScope scope;
  const auto conj = [](at::Tensor tensor, bool wanted) { return wanted ? tensor.conj() : tensor; };
  if (is_single) {
    const at::Tensor a = conj(AsMatrix(left), options.conj_x);
    const at::Tensor b = conj(AsMatrix(right), options.conj_y);
    at::Tensor result = Borrow(*out, {left.rows, right.cols}, {right.cols, 1});
    options.accumulate ? at::addmm_out(result, result, a, b) : at::mm_out(result, a, b);
    return;
  }
  const int64_t batch_size = product(batch);
  const at::Tensor a = conj(AsBatch(left, batch, batch_size), options.conj_x);
  const at::Tensor b = conj(AsBatch(right, batch, batch_size), options.conj_y);
  at::Tensor result = Borrow(*out, {batch_size, left.rows, right.cols}, {left.rows * right.cols, right.cols, 1});
  options.accumulate ? at::baddbmm_out(result, result, a, b) : at::bmm_out(result, a, b);
}

template <typename... Types>
bool Register(Backend backend) {
  return (RegisterPrimitive<Matmul>(backend, &TorchMatmul, CppTypeToDataType<Types>::Type()) && ...);
}

// All of a device's library is torch's, so that this serves every device.
[[maybe_unused]] const bool blas_registered =
    Register<float, double, dtype::float16, dtype::bfloat16, complex64, complex128, int32_t, int64_t>(Backend::CPU) &&
    Register<float, double, dtype::float16, dtype::bfloat16, complex64, complex128>(Backend::GPU);

}  // namespace

}  // namespace phi::primitive
