// SPDX-License-Identifier: Apache-2.0
#include "all_functional.h"  // written by the test: every functional/<op>.h that is generated
#include "backends/cpu/cpu_context.h"
#include "check.h"
#include "core/device_context_pool.h"

namespace {

using namespace phi;  // NOLINT

const CPUContext& Cpu() { return static_cast<const CPUContext&>(*DeviceContextPool::Instance().Get(CPUPlace())); }

DenseTensor Range(const DDim& dims) {
  DenseTensor tensor;
  tensor.Resize(dims);
  float* data = Cpu().Alloc<float>(&tensor);
  for (int64_t i = 0; i < tensor.numel(); ++i) data[i] = static_cast<float>(i);
  return tensor;
}

TEST(functional_form_infers_allocates_and_computes) {
  const DenseTensor sum = Add<float>(Cpu(), Range({2, 3}), Range({3}));
  CHECK_EQ(sum.dims(), DDim({2, 3}));
  CHECK_EQ(sum.data<float>()[5], 5 + 2);
}

TEST(functional_forms_stack) {
  const DenseTensor x = Range({2, 3});
  const DenseTensor product = Matmul<float>(Cpu(), x, x, false, true);
  const DenseTensor out = Scale<float>(Cpu(), Add<float>(Cpu(), product, product), 0.5, 1.0, true);
  CHECK_EQ(out.data<float>()[0], 0 + 1 + 4 + 1);
}

TEST(functional_form_of_several_outputs) {
  const auto [out, mean, variance] = LayerNorm<float>(Cpu(), Range({2, 4}), paddle::none, paddle::none, 1e-5F, 1);
  CHECK_EQ(mean.data<float>()[1], 5.5f);
  CHECK_EQ(variance.data<float>()[0], 1.25f);
  CHECK_EQ(out.dims(), DDim({2, 4}));
}

TEST(functional_form_of_a_list) {
  const std::vector<DenseTensor> parts = Split<float>(Cpu(), Range({4, 2}), IntArray({1, 3}), Scalar(0));
  CHECK_EQ(parts.size(), 2u);
  CHECK_EQ(parts[1].data<float>()[0], 2.0f);
  const DenseTensor whole = Concat<float>(Cpu(), {&parts[0], &parts[1]}, Scalar(0));
  CHECK_EQ(whole.data<float>()[7], 7.0f);
}

TEST(functional_form_checks_as_the_op_does) {
  CHECK_ERROR(Add<float>(Cpu(), Range({2}), Range({3})), InvalidArgument, "do not broadcast");
}

}  // namespace
