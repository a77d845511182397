// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "api/boxed_call.h"
#include "backends/cpu/cpu_context.h"
#include "check.h"
#include "core/device_context_pool.h"
#include "core/infermeta_utils.h"
#include "core/kernel_registry.h"
#include "infermeta/unary.h"

namespace phi {

// A kernel that no operator calls.
template <typename T, typename Context>
void DoubledKernel(const Context& dev_ctx, const DenseTensor& x, int64_t times, DenseTensor* out) {
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = x.data<T>()[i] * static_cast<T>(times);
}

template <class Dim>
void DoubledInferMeta(const MetaTensor<Dim>& x, int64_t, MetaTensor<Dim>* out) {
  out->share_meta(x);
}

PD_REGISTER_INFER_META_FN(doubled, DoubledInferMeta<int64_t>);

}  // namespace phi

PD_REGISTER_KERNEL(doubled, CPU, ALL_LAYOUT, phi::DoubledKernel, float, double) {}

namespace {

using namespace phi;  // NOLINT

const DeviceContext& Cpu() { return *DeviceContextPool::Instance().Get(CPUPlace()); }

template <typename T>
DenseTensor NumbersOf(const DDim& dims) {
  DenseTensor tensor;
  tensor.Resize(dims);
  T* data = Cpu().Alloc<T>(&tensor);
  for (int64_t i = 0; i < tensor.numel(); ++i) data[i] = static_cast<T>(i);
  return tensor;
}

// 0, 1, 2, ...
DenseTensor Numbers(const DDim& dims, DataType dtype = DataType::FLOAT32) {
  return dtype == DataType::FLOAT64 ? NumbersOf<double>(dims)
         : dtype == DataType::INT64 ? NumbersOf<int64_t>(dims)
                                    : NumbersOf<float>(dims);
}

DenseTensor Transpose(const DenseTensor& x) {
  DenseTensor view = x;
  view.mutable_meta()->dims = {x.dims()[1], x.dims()[0]};
  view.mutable_meta()->strides = {1, x.dims()[1]};
  view.mutable_meta()->contiguous = false;
  return view;
}

KernelContext Doubled(const DenseTensor& x, DenseTensor* out) {
  KernelContext call(nullptr);
  call.EmplaceBackInput(&x);
  call.EmplaceBackAttr(int64_t{2});
  call.EmplaceBackOutput(out);
  return call;
}

TEST(a_kernel_without_an_operator_is_called_by_name) {
  const DenseTensor x = Numbers({2, 3});
  DenseTensor out;
  KernelContext call = Doubled(x, &out);
  const Plan plan = MakePlan("doubled", call);
  CHECK(plan.key == KernelKey(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32));
  CHECK(plan.transforms.empty() && plan.place == CPUPlace());
  InferMeta(plan, &call);
  CHECK_EQ(out.dims(), DDim({2, 3}));
  Run(plan, &call);
  CHECK_EQ(out.data<float>()[5], 10.0f);
}

TEST(a_plan_is_a_value) {
  DenseTensor out;
  Plan kept;
  {
    const DenseTensor x = Numbers({2, 3});
    kept = MakePlan("doubled", Doubled(x, &out));
    const DenseTensor wide = Numbers({2}, DataType::FLOAT64);
    CHECK(kept == MakePlan("doubled", Doubled(x, &out)));
    CHECK(kept != MakePlan("doubled", Doubled(wide, &out)));
    CHECK(kept != MakePlan("doubled", Doubled(Transpose(x), &out)));
  }
  // of other tensors, with other strides
  const DenseTensor x = Numbers({2, 2});
  const DenseTensor y = Transpose(x);
  KernelContext call = Doubled(y, &out);
  InferMeta(kept, &call);
  out.Resize(y.dims());
  Run(kept, &call);
  CHECK_EQ(out.data<float>()[1], 4.0f);
  CHECK(call.InputAt<DenseTensor>(0) == &y);
}

TEST(a_plan_says_what_and_why) {
  const DenseTensor x = Numbers({2, 3});
  DenseTensor out;
  const Plan plan = MakePlan("doubled", Doubled(Transpose(x), &out));
  CHECK_EQ(plan.transforms.size(), 1u);
  CHECK_EQ(plan.transforms[0].argument, "input 0");
  CHECK(plan.transforms[0].what == DataTransform{.make_contiguous = true});
  CHECK_EQ(plan.sources.back(), "dtype from input 0");
  CHECK(plan.steps.back().found && plan.steps.back().key == plan.selected.key);
  std::ostringstream os;
  os << plan;
  CHECK(os.str().find("doubled key (CPU, ALL_LAYOUT, float32) -> doubled (CPU, ALL_LAYOUT, float32) at ") == 0);
  CHECK(os.str().find("[input 0: make contiguous]") != std::string::npos);
}

TEST(a_call_of_an_operators_kernel_by_name) {
  const DenseTensor x = Numbers({2, 3});
  DenseTensor out;
  KernelContext call(nullptr);
  call.EmplaceBackInput(&x);
  call.EmplaceBackInput(&x);
  call.EmplaceBackOutput(&out);
  const Plan plan = MakePlan("add", call);
  InferMeta(plan, &call);
  Run(plan, &call);
  CHECK_EQ(out.data<float>()[5], 10.0f);
}

TEST(the_entry_says_what_a_boxed_call_allows) {
  const DenseTensor x = Numbers({2, 3});
  const DenseTensor strided = Transpose(x);
  DenseTensor out;
  KernelContext call(nullptr);
  call.EmplaceBackInput(&strided);
  call.EmplaceBackOutput(&out);
  CHECK(MakePlan("relu", call).transforms.empty());  // takes any strides
  KernelContext softmax(nullptr);
  softmax.EmplaceBackInput(&strided);
  softmax.EmplaceBackAttr(int64_t{-1});
  softmax.EmplaceBackOutput(&out);
  const Plan plan = MakePlan("softmax", softmax);
  CHECK(plan.transforms == (std::vector<PlannedTransform>{{"x", {.make_contiguous = true}}}));
}

TEST(the_dtype_of_a_boxed_call_by_its_attribute) {
  DenseTensor out;
  KernelContext call(nullptr);
  call.EmplaceBackAttr(IntArray({2, 2}));
  call.EmplaceBackAttr(Scalar(3.0));
  call.EmplaceBackAttr(DataType::FLOAT64);
  call.EmplaceBackOutput(&out);
  const Plan plan = MakePlan("full", call);
  CHECK(plan.key.dtype() == DataType::FLOAT64);
  InferMeta(plan, &call);
  Run(plan, &call);
  CHECK_EQ(out.data<double>()[3], 3.0);
}

TEST(infer_meta_takes_a_part_of_the_kernels_arguments) {
  const DenseTensor ids = Numbers({2, 3}, DataType::INT64), weight = Numbers({7, 4}), grad = Numbers({2, 3, 4});
  DenseTensor out;
  KernelContext call(nullptr);
  for (const DenseTensor* tensor : {&ids, &weight, &grad}) call.EmplaceBackInput(tensor);
  call.EmplaceBackAttr(int64_t{-1});
  call.EmplaceBackOutput(&out);
  InferMeta(MakePlan("embedding_grad", call), &call);
  CHECK_EQ(out.dims(), DDim({7, 4}));
}

TEST(a_key_of_the_callers_own) {
  KernelContext call(nullptr);
  const Plan plan = MakePlan("arange", call, {.place = CPUPlace(), .dtype = DataType::FLOAT64});
  CHECK(plan.key == KernelKey(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT64));
  CHECK(plan.selected.kernel == MakePlan("arange", plan.key, call, CPUPlace()).selected.kernel);
}

TEST(boxed_calls_that_cannot_be_planned) {
  const DenseTensor x = Numbers({2});
  DenseTensor out;
  CHECK_ERROR(MakePlan("no_kernel_has_this_name", Doubled(x, &out)), NotFound, "no_kernel_has_this_name");
  const KernelKey key(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::BOOL);
  CHECK_ERROR(MakePlan("doubled", key, Doubled(x, &out), CPUPlace()), Unimplemented, "(CPU, ALL_LAYOUT, bool)");
  DenseTensor elsewhere = x;
  elsewhere.set_place(Place(AllocationType::CUSTOM));
  KernelContext call(nullptr);
  call.EmplaceBackInput(&x);
  call.EmplaceBackInput(&elsewhere);
  call.EmplaceBackOutput(&out);
  const KernelKey cpu(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32);
  CHECK_ERROR(MakePlan("add", cpu, call, CPUPlace()), InvalidArgument, "argument 'y'");
}

}  // namespace
