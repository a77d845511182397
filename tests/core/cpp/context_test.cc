// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_context.h"
#include "check.h"
#include "core/device_context_pool.h"
#include "core/infermeta_utils.h"
#include "core/kernel_registry.h"
#include "infermeta/binary.h"

namespace phi {

// Adds up all that it is given, so that a test sees every argument arrive.
template <typename T, typename Context>
void TotalKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const paddle::optional<DenseTensor>& y,
                 const std::vector<const DenseTensor*>& list,
                 const Scalar& scalar,
                 const IntArray& ints,
                 float f,
                 int i,
                 bool b,
                 const std::string& text,
                 const std::vector<int>& vec,
                 DenseTensor* out,
                 DenseTensor* unwanted) {
  T total =
      x.data<T>()[0] + (y ? y->template data<T>()[0] : T(0)) + scalar.to<T>() + static_cast<T>(f) + i + b + text.size();
  for (const DenseTensor* t : list) total += t->data<T>()[0];
  for (int64_t v : ints) total += v;
  for (int v : vec) total += v;
  *dev_ctx.template Alloc<T>(out) = total + (unwanted ? 1000 : 0);
}

}  // namespace phi

PD_REGISTER_KERNEL(total, CPU, ALL_LAYOUT, phi::TotalKernel, float) {}

namespace {

using namespace phi;  // NOLINT

const DeviceContext& Cpu() { return *DeviceContextPool::Instance().Get(CPUPlace()); }

DenseTensor Number(float value) {
  DenseTensor tensor;
  tensor.Resize({1});
  *Cpu().Alloc<float>(&tensor) = value;
  return tensor;
}

const Kernel& Total() {
  return *KernelFactory::Instance().Find("total")->Find({Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32});
}

KernelContext TotalContext(const DenseTensor* x, const DenseTensor* y, DenseTensor* out) {
  KernelContext ctx(&Cpu());
  ctx.EmplaceBackInput(x);
  ctx.EmplaceBackInput(y);
  ctx.EmplaceBackInputs({x, x});
  for (Attribute a : {Attribute(Scalar(2.0)),
                      Attribute(IntArray({3, 4})),
                      Attribute(0.5),
                      Attribute(int64_t{7}),
                      Attribute(true),
                      Attribute(std::string("abc")),
                      Attribute(std::vector<int>{5})}) {
    ctx.EmplaceBackAttr(a);
  }
  ctx.EmplaceBackOutput(out);
  ctx.EmplaceBackOutput(nullptr);
  return ctx;
}

TEST(boxed_call_brings_every_kind_of_argument) {
  const DenseTensor x = Number(1), y = Number(10);
  DenseTensor out;
  out.Resize({1});
  KernelContext ctx = TotalContext(&x, &y, &out);
  Total()(&ctx);
  CHECK_EQ(out.data<float>()[0], 1 + 10 + 2 + 3 + 4 + 0.5f + 7 + 1 + 3 + 5 + 1 + 1);
  KernelContext without = TotalContext(&x, nullptr, &out);
  Total()(&without);
  CHECK_EQ(out.data<float>()[0], 28.5f);
}

TEST(typed_call_equals_boxed_call) {
  const DenseTensor x = Number(1);
  DenseTensor out;
  out.Resize({1});
  using Fn = void (*)(const DeviceContext&,
                      const DenseTensor&,
                      const paddle::optional<DenseTensor>&,
                      const std::vector<const DenseTensor*>&,
                      const Scalar&,
                      const IntArray&,
                      double,
                      int64_t,
                      bool,
                      const std::string&,
                      const std::vector<int>&,
                      DenseTensor*,
                      DenseTensor*);
  CHECK_EQ(std::string(Total().typed_signature()), std::string(typeid(Fn).name()));
  Total().GetVariadicKernelFn<Fn>()(
      Cpu(), x, {}, {&x, &x}, Scalar(2.0), IntArray({3, 4}), 0.5, 7, true, "abc", {5}, &out, nullptr);
  CHECK_EQ(out.data<float>()[0], 28.5f);
}

TEST(boxed_call_with_wrong_arguments) {
  const DenseTensor x = Number(1);
  DenseTensor out;
  out.Resize({1});
  KernelContext missing(&Cpu());
  missing.EmplaceBackInput(&x);
  CHECK_ERROR(Total()(&missing), OutOfRange, "input 1");
  KernelContext null = TotalContext(nullptr, nullptr, &out);
  CHECK_ERROR(Total()(&null), InvalidArgument, "input 0");
  KernelContext wrong(&Cpu());
  for (int i = 0; i < 2; ++i) wrong.EmplaceBackInput(&x);
  wrong.EmplaceBackInputs({&x});
  wrong.EmplaceBackAttr(std::string("not a Scalar"));
  CHECK_ERROR(Total()(&wrong), InvalidType, "string");
  const SelectedRows rows;
  KernelContext other_class(&Cpu());
  other_class.EmplaceBackInput(&rows);
  CHECK_ERROR(Total()(&other_class), InvalidType, "another tensor class");
}

TEST(argument_definitions_follow_the_signature) {
  const KernelArgsDef& def = Total().args_def();
  CHECK_EQ(def.input_defs().size(), 3u);
  CHECK(def.input_defs()[1].is_optional && def.input_defs()[2].is_list);
  CHECK(def.input_defs()[0].backend == Backend::CPU && def.input_defs()[0].dtype == DataType::FLOAT32);
  CHECK_EQ(def.attribute_defs().size(), 7u);
  CHECK(def.attribute_defs()[0] == AttributeType::SCALAR && def.attribute_defs()[2] == AttributeType::FLOAT64);
  CHECK_EQ(def.output_defs().size(), 2u);
}

TEST(infer_meta_by_name) {
  const DenseTensor x = Number(1), y = Number(2);
  DenseTensor out;
  InferMetaContext ctx;
  for (const DenseTensor* input : {&x, &y}) {
    ctx.BeginInput();
    ctx.AddInput(MetaTensor<int64_t>(*input));
  }
  ctx.BeginOutput();
  ctx.AddOutput(MetaTensor<int64_t>(&out));
  InferMetaImpl<&ElementwiseInferMeta<int64_t>>::Call(&ctx);
  CHECK_EQ(out.dims(), DDim({1}));
  CHECK(MetaFnFactory::Instance().Contains("add"));
  CHECK_ERROR(MetaFnFactory::Instance().Get("no_such_kernel"), NotFound, "no_such_kernel");
  MetaFnFactory factory;
  factory.Insert("again", {nullptr, true, {1}});
  const InferMetaEntry& kept = factory.Get("again");
  factory.Insert("again", {nullptr, true, {2}});
  CHECK_EQ(factory.Get("again").inputs.front(), 2);
  CHECK_EQ(kept.inputs.front(), 1);
}

TEST(reading_a_tensor_as_another_type) {
  const DenseTensor x = Number(1);
  CHECK_ERROR(x.data<double>(), InvalidType, "float64");
}

TEST(memory_is_shared_kept_and_reused) {
  DenseTensor a = Number(3), b;
  b.ShareDataWith(a);
  CHECK(b.IsSharedBufferWith(a) && b.dims() == a.dims());
  const void* before = a.data();
  a.Resize({1});
  CHECK(Cpu().Alloc<float>(&a) == before);
  a.Resize({100});
  CHECK(Cpu().Alloc<float>(&a) != before);
  CHECK_EQ(b.data<float>()[0], 3.0f);
}

TEST(dims) {
  CHECK_EQ(product(DDim({2, 3, 4})), 24);
  CHECK_EQ(product(DDim()), 1);
  CHECK_EQ(contiguous_strides({2, 0, 3}), DDim({3, 3, 1}));
  CHECK_EQ(flatten_to_2d(DDim({2, 3, 4}), 1), DDim({2, 12}));
  CHECK_ERROR(DDim(std::vector<int64_t>(10, 1)), InvalidArgument, "at most 9");
}

TEST(scalars) {
  CHECK_EQ(Scalar(int64_t{1} << 60).to<int64_t>(), int64_t{1} << 60);
  CHECK_EQ(Scalar(2.7).to<int>(), 2);
  CHECK_EQ(Scalar(true).to<float>(), 1.0f);
  CHECK(Scalar(complex128(1, 2)).to<complex64>() == complex64(1, 2));
  CHECK_ERROR(Scalar(complex128(1, 2)).to<float>(), InvalidArgument, "real number");
}

TEST(borrowed_and_owned_int_arrays) {
  const int64_t values[] = {1, 2};
  const IntArray borrowed(values, 2);
  IntArray copy = borrowed;
  CHECK(copy.begin() == values);
  IntArray owned({5, 6, 7});
  copy = owned;
  CHECK(copy.begin() != owned.begin() && copy[2] == 7 && copy.size() == 3);
}

TEST(broadcasting) {
  CHECK_EQ(BroadcastDims(DDim({3, 1}), DDim({2, 1, 4})), DDim({2, 3, 4}));
  CHECK_ERROR(BroadcastDims(DDim({3}), DDim({4})), InvalidArgument, "do not broadcast");
}

TEST(messages_are_formatted_by_type) {
  CHECK_EQ(enforce::Format("%d of %s is %f%%, %5.2f", 3, "x", 1.5, 2), "3 of x is 1.5%, 2");
}

}  // namespace
