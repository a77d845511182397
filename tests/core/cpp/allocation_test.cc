// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "backends/cpu/cpu_context.h"
#include "check.h"
#include "core/device_context_pool.h"
#include "core/kernel_registry.h"
#include "infermeta/functions.h"
#include "torch/call.h"
#include "torch/ops.h"
#include "torch/small_blocks.h"

namespace {
std::atomic<int> news{0};
}

void* operator new(size_t size) {
  ++news;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace {

using namespace phi;                // NOLINT
using namespace phi::torch_bridge;  // NOLINT

// The heap allocations of a second call: the first one may fill tables.
template <class F>
int Allocations(const F& call) {
  call();
  const int before = news;
  call();
  return news - before;
}

TEST(allocations_are_counted) {
  CHECK_EQ(Allocations([] { delete new int; }), 1);
}

TEST(selection_does_not_allocate) {
  const KernelSet& set = *KernelFactory::Instance().Find("add");
  const KernelKey key(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32);
  CHECK_EQ(Allocations([&] { CHECK(set.Select(key).kernel != nullptr); }), 0);
  CHECK_EQ(Allocations([] { CHECK(DeviceContextPool::Instance().Get(CPUPlace()) != nullptr); }), 0);
}

TEST(infer_meta_does_not_allocate) {
  DenseTensor x, y, out;
  x.Resize({2, 1, 4});
  y.Resize({3, 4});
  MetaTensor<int64_t> out_meta(&out);
  CHECK_EQ(Allocations([&] { ElementwiseInferMeta(MetaTensor<int64_t>(x), MetaTensor<int64_t>(y), &out_meta); }), 0);
  CHECK_EQ(out.dims(), DDim({2, 3, 4}));
  const int64_t axis = 1;
  CHECK_EQ(Allocations(
               [&] { SumInferMeta(MetaTensor<int64_t>(x), IntArray(&axis, 1), DataType::UNDEFINED, true, &out_meta); }),
           0);
}

TEST(borrowing_does_not_allocate_or_count_references) {
  const at::Tensor x = at::rand({2, 3});
  CHECK_EQ(Allocations([&] {
             const DenseTensor borrowed = Borrow(x);
             CHECK_EQ(x.use_count(), 1u);
             CHECK_EQ(x.storage().use_count(), 1u);
             CHECK(borrowed.data() == x.const_data_ptr());
           }),
           0);
}

// Between the dispatcher and the kernel nothing allocates but what an empty tensor needs.
TEST(a_call_allocates_its_output_alone) {
  const at::Tensor x = at::rand({4, 4});
  const int one_tensor = Allocations([] { at::detail::empty_cpu({4, 4}, at::kFloat); });
  CHECK(one_tensor > 0);
  CHECK_EQ(Allocations([&] { phi::ops::add::call(x, x); }), one_tensor);
  CHECK_EQ(Allocations([&] { phi::ops::relu::call(x); }), one_tensor);
  CHECK_EQ(Allocations([&] { phi::ops::softmax::call(x, -1); }), one_tensor);
}

TEST(small_blocks_are_used_again) {
  const at::Tensor x = at::rand({4, 4});
  const void* first = phi::ops::relu::call(x).const_data_ptr();
  const at::Tensor second = phi::ops::relu::call(x);
  CHECK(second.const_data_ptr() == first);
  CHECK(phi::ops::relu::call(x).const_data_ptr() != first);
}

TEST(small_blocks_are_those_of_torch_tensors) {
  at::Tensor out = phi::ops::relu::call(at::ones({3}));
  CHECK_EQ(reinterpret_cast<uintptr_t>(out.const_data_ptr()) % 64, 0u);
  CHECK_EQ(out.storage().nbytes(), 12u);
  CHECK(out.storage().allocator() == c10::GetDefaultCPUAllocator());
  out.resize_({5000});
  out.fill_(2);
  CHECK_EQ(out.sum().item<float>(), 10000.f);
}

TEST(the_memory_of_contexts_is_of_small_blocks_too) {
  Allocator* allocator = DeviceContextPool::Instance().Get(CPUPlace())->GetAllocator();
  const size_t kept = KeptSmallBlocks(64);
  allocator->Allocate(64);  // which goes at once
  CHECK_EQ(KeptSmallBlocks(64), std::max(kept, size_t{1}));
  const std::shared_ptr<Allocation> block = allocator->Allocate(40);
  CHECK_EQ(KeptSmallBlocks(64), std::max(kept, size_t{1}) - 1);
  CHECK_EQ(reinterpret_cast<uintptr_t>(block->ptr()) % 64, 0u);
  CHECK_EQ(block->size(), 40u);
  CHECK(allocator->Allocate(0) != nullptr);
  CHECK(allocator->Allocate(kSmallBlock + 1)->ptr() != nullptr);
}

TEST(kept_small_blocks_are_bounded) {
  std::vector<c10::DataPtr> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(AllocateSmallBlock(kSmallBlock));
  blocks.clear();
  CHECK_EQ(KeptSmallBlocks(kSmallBlock), 16u);
}

TEST(small_blocks_go_to_the_thread_that_frees_them) {
  c10::DataPtr block = AllocateSmallBlock(100);
  const void* address = block.get();
  std::thread([&] {
    CHECK_EQ(KeptSmallBlocks(100), 0u);
    block.clear();
    CHECK_EQ(KeptSmallBlocks(100), 1u);
    CHECK(AllocateSmallBlock(65).get() == address);
  }).join();
  CHECK_EQ(KeptSmallBlocks(100), 0u);
}

}  // namespace
