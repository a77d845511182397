// SPDX-License-Identifier: Apache-2.0
// A program of PHI without torch: linked to the core and the kernels of the CPU alone, with memory and threads of its
// own.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "check.h"
#include "core/kernel_context.h"
#include "core/kernel_selection.h"
#include "core/parallel.h"
#include "functional/matmul.h"
#include "functional/softmax.h"
#include "functional/tanh.h"

namespace {

using namespace phi;  // NOLINT

// Counts what is allocated, and lives as long as the tensors.
class CountingAllocator final : public Allocator {
 public:
  class Block final : public Allocation {
   public:
    explicit Block(size_t bytes) : Allocation(std::aligned_alloc(64, (bytes + 64) / 64 * 64), bytes, CPUPlace()) {}
    ~Block() override { std::free(ptr()); }
  };
  std::shared_ptr<Allocation> Allocate(size_t bytes) override {
    bytes_ += bytes;
    return std::make_shared<Block>(bytes);
  }
  size_t bytes() const { return bytes_; }

 private:
  size_t bytes_ = 0;
};

CountingAllocator allocator;

const CPUContext& Context() {
  static CPUContext& context = *[] {
    auto* made = new CPUContext;
    made->SetAllocator(&allocator);
    made->SetHostAllocator(&allocator);
    return made;
  }();
  return context;
}

template <typename T>
DenseTensor Numbers(const DDim& dims, double step) {
  DenseTensor tensor;
  tensor.Resize(dims);
  T* data = Context().Alloc<T>(&tensor);
  for (int64_t i = 0; i < tensor.numel(); ++i) data[i] = static_cast<T>(step * static_cast<double>(i % 101) - 1);
  return tensor;
}

bool IsClose(double got, double expected) { return std::abs(got - expected) <= 1e-5 * (1 + std::abs(expected)); }

TEST(a_kernel_is_selected_and_called_boxed) {
  const KernelKey key(Backend::CPU, DataLayout::NCHW, DataType::FLOAT32);
  const KernelResult& found = KernelFactory::Instance().Find("add")->Select(key);
  CHECK_EQ(found.key, KernelKey(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32));
  const DenseTensor x = Numbers<float>({3, 40}, 0.5), y = Numbers<float>({40}, 0.25);
  DenseTensor out;
  out.Resize({3, 40});
  const size_t before = allocator.bytes();
  KernelContext call(&Context());
  call.EmplaceBackInput(&x);
  call.EmplaceBackInput(&y);
  call.EmplaceBackOutput(&out);
  (*found.kernel)(&call);
  CHECK_EQ(allocator.bytes() - before, 3 * 40 * sizeof(float));
  for (int i = 0; i < 3 * 40; ++i) CHECK_EQ(out.data<float>()[i], x.data<float>()[i] + y.data<float>()[i % 40]);
}

TEST(softmax_of_plain_memory) {
  std::vector<float> memory(64 * 100);
  std::iota(memory.begin(), memory.end(), 0.0f);
  DenseTensor x;
  x.Resize({64, 100});
  x.set_type(DataType::FLOAT32);
  x.Borrow(CPUPlace(), memory.data());
  const DenseTensor out = Softmax<float>(Context(), x, -1);
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += std::exp(i - 99.0);
  for (int row : {0, 63}) {
    for (int i = 0; i < 100; ++i) CHECK(IsClose(out.data<float>()[row * 100 + i], std::exp(i - 99.0) / sum));
  }
}

TEST(functions_of_vectors_without_their_library) {
  const DenseTensor x = Numbers<double>({1001}, 0.02);
  const DenseTensor out = Tanh<double>(Context(), x);
  for (int i = 0; i < 1001; ++i) CHECK(std::abs(out.data<double>()[i] - std::tanh(x.data<double>()[i])) <= 1e-15);
}

// Halves each range that is worth it.
class TwoThreads final : public ThreadPool {
 public:
  void Run(int64_t n, int64_t grain, Range range, const void* body) const override {
    ++runs;
    const int64_t half = std::max(grain, n / 2);
    std::thread other(range, body, half, n);
    range(body, 0, half);
    other.join();
  }
  int size() const override { return 2; }
  bool is_running() const override { return false; }
  mutable std::atomic<int> runs = 0;
};

TEST(threads_of_its_own) {
  const DenseTensor x = Numbers<float>({1 << 10, 1 << 10}, 0.01);
  const DenseTensor alone = Softmax<float>(Context(), x, 1);
  TwoThreads& pool = *new TwoThreads;
  ThreadPool::Install(&pool);
  const DenseTensor out = Softmax<float>(Context(), x, 1);
  CHECK(pool.runs > 0);
  CHECK(std::equal(out.data<float>(), out.data<float>() + out.numel(), alone.data<float>()));
}

TEST(what_torch_would_lend_is_named) {
  const DenseTensor x = Numbers<float>({8, 8}, 1);
  CHECK_ERROR(Matmul<float>(Context(), x, x, false, false), Unimplemented, "primitive 'matmul' has no implementation");
}

}  // namespace
