// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>

#include "check.h"
#include "core/device_context_pool.h"
#include "core/meta_tensor.h"
#include "torch/convert.h"
#include "torch/tensor_kinds.h"

namespace {

using namespace phi::torch_bridge;  // NOLINT
using phi::DataType;
using phi::DDim;

TEST(borrowed_tensor_has_memory_and_strides_of_torch) {
  const at::Tensor t = at::arange(12, at::kFloat).view({3, 4}).t();
  const phi::DenseTensor dense = Borrow(t);
  CHECK(dense.data() == t.const_data_ptr());
  CHECK_EQ(dense.dims(), DDim({4, 3}));
  CHECK_EQ(dense.strides(), DDim({1, 4}));
  CHECK(!dense.is_contiguous() && dense.meta().dense);
  CHECK(!Borrow(t.slice(0, 0, 4, 2)).meta().dense);
}

TEST(dense_tensor_keeps_torch_memory_alive) {
  phi::DenseTensor dense = ToPhi(at::full({2}, 7.0));
  const at::Tensor again = ToTorch(dense);
  dense = phi::DenseTensor();
  CHECK(at::equal(again, at::full({2}, 7.0)));
}

TEST(selected_rows_is_coo_with_one_sparse_dim) {
  const at::Tensor coo = at::sparse_coo_tensor(
      at::tensor({4, 0, 4}, at::kLong).unsqueeze(0), at::arange(6, at::kFloat).view({3, 2}), {5, 2});
  CHECK(TorchForm<phi::SelectedRows>::Holds(coo));
  const phi::SelectedRows rows = TorchForm<phi::SelectedRows>::ToPhi(coo);
  CHECK((rows.rows() == std::vector<int64_t>{4, 0, 4}));
  CHECK_EQ(rows.height(), 5);
  CHECK_EQ(rows.GetCompleteDims(), DDim({5, 2}));
  CHECK(at::equal(TorchForm<phi::SelectedRows>::ToTorch(rows).to_dense(), coo.to_dense()));
  CHECK(!TorchForm<phi::SelectedRows>::Holds(at::eye(3).to_sparse()));
}

TEST(sparse_coo_both_ways) {
  const at::Tensor coo = at::eye(3).to_sparse();
  const phi::SparseCooTensor sparse = TorchForm<phi::SparseCooTensor>::ToPhi(coo);
  CHECK_EQ(sparse.nnz(), 3);
  CHECK_EQ(sparse.sparse_dim(), 2);
  CHECK_EQ(sparse.dense_dim(), 0);
  CHECK(sparse.coalesced());
  CHECK(at::equal(TorchForm<phi::SparseCooTensor>::ToTorch(sparse).to_dense(), at::eye(3)));
  CHECK(!TorchForm<phi::SparseCooTensor>::Holds(at::eye(3)));
}

TEST(sparse_csr_both_ways) {
  const at::Tensor dense = at::tensor({1.0, 0.0, 2.0, 0.0, 0.0, 3.0}).view({2, 3});
  const phi::SparseCsrTensor csr = TorchForm<phi::SparseCsrTensor>::ToPhi(dense.to_sparse_csr());
  CHECK_EQ(csr.dims(), DDim({2, 3}));
  CHECK_EQ(csr.nnz(), 3);
  CHECK(at::equal(TorchForm<phi::SparseCsrTensor>::ToTorch(csr).to_dense(), dense));
  CHECK(!TorchForm<phi::SparseCsrTensor>::Holds(dense));
}

TEST(data_types_both_ways) {
  for (int i = 1; i < static_cast<int>(DataType::NUM_DATA_TYPES); ++i) {
    const auto type = static_cast<DataType>(i);
    if (type != DataType::PSTRING) CHECK(ToPhi(ToTorch(type)) == type);
  }
  CHECK_ERROR(ToTorch(DataType::PSTRING), InvalidType, "pstring");
  CHECK_ERROR(ToPhi(at::kQInt8), InvalidType, "QInt8");
}

TEST(scalars_of_torch) {
  CHECK(ToPhi(at::Scalar(true), "x").dtype() == DataType::BOOL);
  CHECK_EQ(ToPhi(at::Scalar(int64_t{1} << 53), "x").to<int64_t>(), int64_t{1} << 53);
  CHECK(ToPhi(at::Scalar(c10::complex<double>(1, 2)), "x").to<phi::complex128>() == phi::complex128(1, 2));
}

TEST(an_output_is_the_torch_tensor_that_the_kernel_asked_for) {
  const phi::DeviceContext& cpu = *phi::DeviceContextPool::Instance().Get(phi::CPUPlace());
  OutTensor out;
  phi::MetaTensor<int64_t> meta(&out);
  meta.set_dims({2, 3});
  meta.set_dtype(DataType::FLOAT32);
  CHECK_ERROR(cpu.Alloc<double>(&out), Fatal, "InferMeta says float32");
  float* data = cpu.Alloc<float>(&out);
  const at::Tensor result = out.Release(phi::CPUPlace());
  CHECK(result.data_ptr<float>() == data && result.sizes() == at::IntArrayRef({2, 3}));
  OutTensor forgotten;
  phi::MetaTensor<int64_t>(&forgotten).set_dims({1});
  CHECK_ERROR(forgotten.Release(phi::CPUPlace()), Fatal, "did not make");
}

TEST(an_in_place_output_is_checked) {
  at::Tensor target = at::zeros({2, 3});
  OutTensor out(target);
  phi::MetaTensor<int64_t> meta(&out);
  meta.set_dims({2, 3});
  meta.set_dtype(DataType::FLOAT64);
  CHECK_ERROR(out.Bind("x", false), InvalidType, "expected data type float64");
  meta.set_dtype(DataType::FLOAT32);
  meta.set_dims({3});
  CHECK_ERROR(out.Bind("x", false), InvalidArgument, "expected the shape [3]");
  out.Bind("x", true);
  CHECK(target.sizes() == at::IntArrayRef({3}));
}

}  // namespace
