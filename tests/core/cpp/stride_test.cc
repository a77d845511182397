// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "all_functional.h"
#include "backends/cpu/cpu_context.h"
#include "check.h"
#include "core/device_context_pool.h"
#include "core/kernel_context.h"
#include "core/kernel_selection.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"

namespace {

using namespace phi;  // NOLINT

const CPUContext& Cpu() { return static_cast<const CPUContext&>(*DeviceContextPool::Instance().Get(CPUPlace())); }

DenseTensor Copied(const DenseTensor& x) {
  DenseTensor copy;
  copy.Resize(x.dims());
  primitive::Copy(Cpu(), x, &copy);
  return copy;
}

DenseTensor Counted(const DDim& dims) {
  DenseTensor x;
  x.Resize(dims);
  float* data = Cpu().Alloc<float>(&x);
  std::iota(data, data + x.numel(), 0.0f);
  return x;
}

// [4, 1, 3, 2] with other strides than a contiguous tensor has.
DenseTensor Turned(const DenseTensor& base) { return primitive::ViewOf(base, {4, 1, 3, 2}, {1, 24, 8, 4}); }

// What the operator's kernel of the layout STRIDED makes of x: found where any device looks for it.
std::vector<DenseTensor> Views(const char* op,
                               const DenseTensor& x,
                               const std::vector<Attribute>& attributes,
                               size_t outputs = 1) {
  const KernelKey key(Backend::CPU, DataLayout::NCHW, DataType::FLOAT32);
  const KernelResult& found = KernelFactory::Instance().Find(op)->Select(key);
  CHECK(found.is_stride_kernel);
  CHECK(found.key.layout() == DataLayout::STRIDED);
  std::vector<DenseTensor> results(outputs);
  KernelContext call(&Cpu());
  call.EmplaceBackInput(&x);
  for (const Attribute& attribute : attributes) call.EmplaceBackAttr(attribute);
  std::vector<TensorBase*> pointers;
  for (DenseTensor& result : results) pointers.push_back(&result);
  call.EmplaceBackOutputs(pointers);
  (*found.kernel)(&call);
  return results;
}

bool IsIn(const DenseTensor& part, const DenseTensor& whole) {
  const auto* at = static_cast<const float*>(part.data());
  const auto* begin = static_cast<const float*>(whole.data());
  return at >= begin && at < begin + 24;
}

void CheckEqual(const DenseTensor& got, const DenseTensor& expected) {
  CHECK_EQ(got.dims(), expected.dims());
  CHECK(got.dtype() == expected.dtype());
  const DenseTensor copy = Copied(got);
  for (int64_t i = 0; i < expected.numel(); ++i) CHECK_EQ(copy.data<float>()[i], expected.data<float>()[i]);
}

// The view and the copying kernel agree, for a contiguous tensor and for one that is not.
template <typename Copying>
void CheckView(const char* op, const std::vector<Attribute>& attributes, const Copying& copying) {
  const DenseTensor base = Counted({4, 1, 3, 2});
  for (const DenseTensor& x : {base, Turned(base)}) {
    const DenseTensor view = Views(op, x, attributes)[0];
    CHECK(IsIn(view, base));
    CheckEqual(view, copying(Copied(x)));
  }
}

TEST(views_share_memory_and_have_the_elements_of_copies) {
  const IntArray to({2, 4, 5, 3, 2}), first({1}), places({0, -1});
  CheckView("expand", {to}, [&](const DenseTensor& x) { return Expand<float>(Cpu(), x, to); });
  CheckView("squeeze", {first}, [&](const DenseTensor& x) { return Squeeze<float>(Cpu(), x, first); });
  CheckView("unsqueeze", {places}, [&](const DenseTensor& x) { return Unsqueeze<float>(Cpu(), x, places); });
  const std::vector<int> perm{2, -1, 0, 1};
  CheckView("transpose", {perm}, [&](const DenseTensor& x) { return Transpose<float>(Cpu(), x, perm); });
  const std::vector<int64_t> axes{0, 2}, none, dropped{2};
  const IntArray starts({1, -1}), ends({3, 9});
  CheckView("slice", {axes, starts, ends, none, dropped}, [&](const DenseTensor& x) {
    return Slice<float>(Cpu(), x, axes, starts, ends, none, dropped);
  });
}

TEST(pieces_of_a_tensor_share_its_memory) {
  const DenseTensor base = Counted({4, 1, 3, 2});
  for (const DenseTensor& x : {base, Turned(base)}) {
    const std::vector<DenseTensor> got = Views("unbind", x, {int64_t{2}}, 3);
    const std::vector<DenseTensor> expected = Unbind<float>(Cpu(), Copied(x), 2);
    for (int i = 0; i < 3; ++i) {
      CHECK(IsIn(got[i], base));
      CheckEqual(got[i], expected[i]);
    }
  }
}

TEST(a_reshape_is_a_view_where_the_strides_allow_it) {
  const DenseTensor base = Counted({4, 1, 3, 2});
  const IntArray joined({4, 6}), apart({2, 2, 3, 2, 1}), all({24});
  for (const DenseTensor& x : {base, Turned(base)}) {
    for (const IntArray& shape : {joined, apart, all}) {
      const DenseTensor view = Views("reshape", x, {shape})[0];
      CheckEqual(view, Reshape<float>(Cpu(), Copied(x), shape));
      CHECK_EQ(IsIn(view, base), x.is_contiguous() || shape.size() != 1);
    }
    CheckEqual(Views("flatten", x, {int64_t{1}, int64_t{-1}})[0], Flatten<float>(Cpu(), Copied(x), 1, -1));
  }
  // the memory of a copy lives as long as the result
  const DenseTensor copied = Views("reshape", Turned(base), {all})[0];
  CHECK(copied.Holder() != nullptr);
}

TEST(without_the_flag_views_are_copies) {
  const KernelSet& kernels = *KernelFactory::Instance().Find("transpose");
  const KernelKey key(Backend::CPU, DataLayout::NCHW, DataType::FLOAT32);
  CHECK(!SelectKernelOrThrowError(kernels, key, false).is_stride_kernel);
}

}  // namespace
