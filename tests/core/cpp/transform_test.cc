// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>

#include "backends/cpu/cpu_context.h"
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
  const phi::InputRule rules[] = {{"x", flags, 0}};
  phi::Input input = Lend(tensor, rules[0]);
  phi::Call call(Site());
  call.AddToKey(rules, input);
  call.key().SetBackend(phi::CPUPlace(), "the test");
  call.key().SetDataType(dtype, "the test");
  call.Prepare(rules, input);
  return input;
}

TEST(a_fitting_tensor_is_borrowed) {
  const at::Tensor x = at::rand({2, 3});
  CHECK(Transformed(x, phi::kContiguous).data() == x.const_data_ptr());
}

TEST(strides_are_removed_unless_the_kernel_takes_them) {
  const at::Tensor x = at::rand({2, 3}).t();
  CHECK(Transformed(x, phi::kStrided).data() == x.const_data_ptr());
  const phi::DenseTensor contiguous = Transformed(x, phi::kContiguous);
  CHECK(contiguous.data() != x.const_data_ptr() && contiguous.is_contiguous());
  CHECK_EQ(contiguous.data<float>()[1], x[0][1].item<float>());
}

TEST(dtype_is_cast_only_where_allowed) {
  const at::Tensor x = at::tensor({1.5, 2.5}, at::kDouble);
  CHECK(Transformed(x, phi::kContiguous).dtype() == DataType::FLOAT64);
  const phi::DenseTensor cast = Transformed(x, phi::kTransDtype);
  CHECK_EQ(cast.data<float>()[1], 2.5f);
}

TEST(real_becomes_complex_for_a_complex_kernel) {
  CHECK(Transformed(at::ones({2}), phi::kContiguous, DataType::COMPLEX64).dtype() == DataType::COMPLEX64);
  CHECK(Transformed(at::ones({2}, at::kLong), phi::kContiguous, DataType::COMPLEX64).dtype() == DataType::INT64);
}

TEST(skip_transform_leaves_everything) {
  const at::Tensor x = at::rand({2, 3}, at::kDouble).t();
  CHECK(Transformed(x, phi::kSkipTransform | phi::kTransDtype).data() == x.const_data_ptr());
}

TEST(a_tensor_without_buffer_gives_only_its_shape) {
  const phi::DenseTensor shape = Transformed(at::empty({1}).expand({1000, 1000}), phi::kNoBuffer);
  CHECK(!shape.initialized() && shape.numel() == 1000000);
}

TEST(a_cast_input_keeps_its_dtype_for_infer_meta) {
  const phi::InputRule rules[] = {{"x", phi::kTransDtype, 0}};
  phi::Input input = Lend(at::tensor({1.5, 2.5}, at::kDouble), rules[0]);
  phi::Call call(Site());
  call.key().SetBackend(phi::CPUPlace(), "the test");
  call.key().SetDataType(DataType::FLOAT32, "the test");
  call.Prepare(rules, input);
  CHECK(input.tensor().dtype() == DataType::FLOAT32 && input.meta().dtype() == DataType::FLOAT64);
}

TEST(a_conjugate_view_is_lent_as_the_numbers_that_it_says) {
  const at::Tensor z = at::complex(at::ones({2}), at::ones({2}));
  const phi::DenseTensor x = Transformed(z.conj(), phi::kContiguous, DataType::COMPLEX64);
  CHECK(x.data<phi::complex64>()[1] == phi::complex64(1, -1));
}

TEST(another_device_is_an_error_that_names_the_argument) {
  const phi::InputRule rules[] = {{"x", phi::kContiguous, 0}};
  const at::Tensor x = at::rand({2});
  phi::Input input = Lend(x, rules[0]);
  input.mutable_tensor()->set_place(phi::GPUPlace(1));
  phi::Call call(Site());
  call.key().SetBackend(phi::CPUPlace(), "the test");
  call.key().SetDataType(DataType::FLOAT32, "the test");
  CHECK_ERROR(call.Prepare(rules, input), InvalidArgument, "argument 'x'");
}

TEST(a_traced_call_gives_its_plan_and_runs_no_kernel) {
  const phi::InputRule rules[] = {{"x", phi::kContiguous, 0}};
  const at::Tensor x = at::rand({2, 3}).t();
  std::vector<phi::Plan> plans;
  {
    const phi::Tracer tracer(&plans);
    phi::Input input = Lend(x, rules[0]);
    phi::Call call(Site());
    call.AddToKey(rules, input);
    call.Prepare(rules, input);
    using Fn = void(const phi::DeviceContext&, const phi::DenseTensor&, phi::DenseTensor*);
    call.Run<Fn>(input, static_cast<phi::DenseTensor*>(nullptr));
  }
  CHECK_EQ(plans.size(), 1u);
  CHECK(plans[0].transforms[0] == (phi::PlannedTransform{"x", {.make_contiguous = true}}));
  CHECK(plans[0].op == "transform_me" && plans[0].sources.size() == 2);
}

TEST(a_mismatch_of_signatures_is_reported_at_load) { CHECK(phi::KernelFactory::Instance().TakeErrors().empty()); }

}  // namespace
