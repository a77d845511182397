// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>

#include "check.h"
#include "core/kernel_registry.h"
#include "torch/call.h"

namespace phi {

template <typename T, typename Context>
void TransformMeKernel(const Context&, const DenseTensor&, DenseTensor*) {}

}  // namespace phi

PD_REGISTER_KERNEL(transform_me, CPU, ALL_LAYOUT, phi::TransformMeKernel, float, phi::dtype::complex<float>) {}

namespace {

using namespace phi::torch_bridge;  // NOLINT
using phi::DataType;

const phi::OpSite& Site() {
  using Fn = void(const phi::DeviceContext&, const phi::DenseTensor&, phi::DenseTensor*);
  static const phi::OpSite site("transform_me", "transform_me", phi::SignatureOf<Fn>::Get());
  return site;
}

// What the kernel for `dtype` gets when the call brings `tensor`.
phi::DenseTensor Transformed(const at::Tensor& tensor, int flags, DataType dtype = DataType::FLOAT32) {
  KeyBuilder key;
  key.Add(tensor, "x");
  key.SetBackend(phi::CPUPlace(), "the test");
  key.SetDataType(dtype, "the test");
  Call call(Site(), key);
  static std::optional<Input> input;  // keeps the transformed tensor
  input.emplace(tensor, call, 0, "x", flags);
  return *input;
}

TEST(a_fitting_tensor_is_borrowed) {
  const at::Tensor x = at::rand({2, 3});
  CHECK(Transformed(x, kContiguous).data() == x.const_data_ptr());
}

TEST(strides_are_removed_unless_the_kernel_takes_them) {
  const at::Tensor x = at::rand({2, 3}).t();
  CHECK(Transformed(x, kStrided).data() == x.const_data_ptr());
  const phi::DenseTensor contiguous = Transformed(x, kContiguous);
  CHECK(contiguous.data() != x.const_data_ptr() && contiguous.is_contiguous());
  CHECK_EQ(contiguous.data<float>()[1], x[0][1].item<float>());
}

TEST(dtype_is_cast_only_where_allowed) {
  const at::Tensor x = at::tensor({1.5, 2.5}, at::kDouble);
  CHECK(Transformed(x, kContiguous).dtype() == DataType::FLOAT64);
  const phi::DenseTensor cast = Transformed(x, kTransDtype);
  CHECK_EQ(cast.data<float>()[1], 2.5f);
}

TEST(real_becomes_complex_for_a_complex_kernel) {
  CHECK(Transformed(at::ones({2}), kContiguous, DataType::COMPLEX64).dtype() == DataType::COMPLEX64);
  CHECK(Transformed(at::ones({2}, at::kLong), kContiguous, DataType::COMPLEX64).dtype() == DataType::INT64);
}

TEST(skip_transform_leaves_everything) {
  const at::Tensor x = at::rand({2, 3}, at::kDouble).t();
  CHECK(Transformed(x, kSkipTransform | kTransDtype).data() == x.const_data_ptr());
}

TEST(a_tensor_without_buffer_gives_only_its_shape) {
  const phi::DenseTensor shape = Transformed(at::empty({1}).expand({1000, 1000}), kNoBuffer);
  CHECK(!shape.initialized() && shape.numel() == 1000000);
}

TEST(another_device_is_an_error_that_names_the_argument) {
  CHECK_ERROR(Transformed(at::empty({2}, at::kMeta), kContiguous), InvalidArgument, "argument 'x'");
}

TEST(a_mismatch_of_signatures_is_reported_at_load) { CHECK(phi::KernelFactory::Instance().TakeErrors().empty()); }

}  // namespace
