// SPDX-License-Identifier: Apache-2.0
// Eight threads run one executable with six shapes of its input, of which it keeps three, and one that writes a weight.
// What they keep for all shapes is what the largest takes. Built with the sources alone and the thread sanitizer, which
// ends the program with an error at the first data race.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "core/device_context_pool.h"
#include "core/infermeta_utils.h"
#include "core/kernel_registry.h"
#include "ir/core/dialect.h"
#include "ir/dialect/kernel_info.h"
#include "ir/exec/executable.h"
#include "ir/text/parser.h"
#include "primitive/copy_nd.h"

// ---- operators: out = x + w; out = x + x by way of a temporary; what of x is above 0; a < b; y = y + x in place

namespace phi {

template <typename T, typename Context>
void AddKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& w, DenseTensor* out) {
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = x.data<T>()[i] + w.data<T>()[i % w.numel()];
}

template <typename T, typename Context>
void TwiceKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  DenseTensor copy(x.meta(), x.place());
  T* from = dev_ctx.template Alloc<T>(&copy);
  std::copy_n(x.data<T>(), x.numel(), from);
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] + x.data<T>()[i];
}

template <typename T, typename Context>
void PositiveKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  std::vector<T> found;
  std::copy_if(x.data<T>(), x.data<T>() + x.numel(), std::back_inserter(found), [](T value) { return value > 0; });
  out->Resize({static_cast<int64_t>(found.size())});
  std::ranges::copy(found, dev_ctx.template Alloc<T>(out));
}

template <typename T, typename Context>
void BelowKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {
  *dev_ctx.template Alloc<bool>(out) = *x.data<T>() < *y.data<T>();
}

// In the place of the library's, for contiguous tensors.
void CopyFloats(const DeviceContext&, const DenseTensor& x, DenseTensor* out) {
  std::copy_n(x.data<float>(), x.numel(), out->data<float>());
}
[[maybe_unused]] const bool kCopies =
    RegisterPrimitive<primitive::CopyNd>(Backend::CPU, &CopyFloats, DataType::FLOAT32);

void LikeXMeta(const MetaTensor<int64_t>& x, const MetaTensor<int64_t>&, MetaTensor<int64_t>* out) {
  out->share_meta(x);
}
void SameMeta(const MetaTensor<int64_t>& x, MetaTensor<int64_t>* out) { out->share_meta(x); }
void FoundMeta(const MetaTensor<int64_t>& x, MetaTensor<int64_t>* out) {
  out->set_dims({-1});
  out->set_dtype(x.dtype());
}
void FlagMeta(const MetaTensor<int64_t>&, const MetaTensor<int64_t>&, MetaTensor<int64_t>* out) {
  out->set_dims({1});
  out->set_dtype(DataType::BOOL);
}

}  // namespace phi

PD_REGISTER_KERNEL(threads_add, CPU, ALL_LAYOUT, phi::AddKernel, float) {}
PD_REGISTER_KERNEL(threads_twice, CPU, ALL_LAYOUT, phi::TwiceKernel, float) {}
PD_REGISTER_KERNEL(threads_positive, CPU, ALL_LAYOUT, phi::PositiveKernel, float) {}
PD_REGISTER_KERNEL(threads_below, CPU, ALL_LAYOUT, phi::BelowKernel, float) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}
PD_REGISTER_INFER_META_FN(threads_add, phi::LikeXMeta);
PD_REGISTER_INFER_META_FN(threads_twice, phi::SameMeta);
PD_REGISTER_INFER_META_FN(threads_positive, phi::FoundMeta);
PD_REGISTER_INFER_META_FN(threads_below, phi::FlagMeta);

namespace phi::ir {
namespace {

constexpr int16_t kBoth[] = {0, 1};
constexpr std::span<const int16_t> kOne{kBoth, 1};
constexpr KernelInfo::Concept kAdd = {"threads_add", kBoth, {}}, kTwice = {"threads_twice", kOne, {}},
                              kPositive = {"threads_positive", kOne, {}}, kBelow = {"threads_below", kBoth, {}};
constexpr InterfaceRow kOfAdd[] = {{&TypeId::Get<KernelInfo>, &kAdd}};
constexpr InterfaceRow kOfTwice[] = {{&TypeId::Get<KernelInfo>, &kTwice}};
constexpr InterfaceRow kOfPositive[] = {{&TypeId::Get<KernelInfo>, &kPositive}};
constexpr InterfaceRow kOfBelow[] = {{&TypeId::Get<KernelInfo>, &kBelow}};
constexpr InputInfo kInputs[] = {{"x"}, {"y"}};
constexpr OutputInfo kOut[] = {{"out"}};
constexpr std::pair<int, int> kInplace[] = {{0, 0}};

constexpr OpRow kOps[] = {
    {.name = "threads.add", .inputs = kInputs, .outputs = kOut, .interfaces = kOfAdd},
    {.name = "threads.twice", .inputs = {kInputs, 1}, .outputs = kOut, .interfaces = kOfTwice},
    {.name = "threads.positive",
     .inputs = {kInputs, 1},
     .outputs = kOut,
     .traits = Trait::DataDependentShape,
     .interfaces = kOfPositive},
    {.name = "threads.below", .inputs = kInputs, .outputs = kOut, .interfaces = kOfBelow},
    {.name = "threads.add_",
     .inputs = kInputs,
     .outputs = kOut,
     .traits = Trait::Inplace,
     .inplace = kInplace,
     .interfaces = kOfAdd},
};
[[maybe_unused]] const bool kRegistered = RegisterOps("threads", kOps);

constexpr const char* kProgram = R"(phi.program 1
symbols { s0 "x.0" >= 1, s1 "found.0" >= 0 }
program {
  %w = builtin.parameter {name = "w"} : f32[1]
  %end = builtin.parameter {name = "end"} : f32[1]
  %x = pd_op.data {name = "x"} : f32[s0,3]
  %0 = threads.add(%x, %w) : f32[s0,3]
  %1 = threads.twice(%0) : f32[s0,3]
  %less = threads.below(%x, %end) : bool[1]
  %sum, %round = pd_op.while(%less, %1, %w) {
    ^(%a : f32[s0,3], %i : f32[1]):
    %b = threads.twice(%a) : f32[s0,3]
    %c = threads.add_(%b, %w) : f32[s0,3]
    %next = threads.add(%i, %w) : f32[1]
    %again = threads.below(%next, %end) : bool[1]
    cf.yield(%again, %c, %next)
  } : f32[s0,3], f32[1]
  %y = pd_op.if(%less) {
    %d = threads.add(%sum, %0) : f32[s0,3]
    cf.yield(%d)
  } else {
    cf.yield(%1)
  } : f32[s0,3]
  %found = threads.positive(%y) : f32[s1]
  %found2 = threads.twice(%found) : f32[s1]
  pd_op.fetch(%y) {name = "y", col = 0 : i32} : f32[s0,3]
  pd_op.fetch(%found2) {name = "found", col = 1 : i32} : f32[s1]
}
)";

constexpr const char* kCounter = R"(phi.program 1
program {
  %n = builtin.parameter {name = "n"} : f32[1]
  %x = pd_op.data {name = "x"} : f32[1]
  %0 = threads.add(%n, %x) : f32[1]
  builtin.set_parameter(%0) {parameter_name = "n"}
  pd_op.fetch(%0) {name = "y", col = 0 : i32} : f32[1]
}
)";

constexpr int kThreads = 8, kShapes = 6, kRounds = 300;

class HeapAllocator final : public Allocator {
 public:
  class Block final : public Allocation {
   public:
    explicit Block(size_t bytes) : Allocation(std::aligned_alloc(64, (bytes + 64) / 64 * 64), bytes, CPUPlace()) {
      held += bytes;
    }
    ~Block() override {
      held -= size();
      std::free(ptr());
    }
  };
  static inline std::atomic<size_t> held = 0;  // bytes
  std::shared_ptr<Allocation> Allocate(size_t bytes) override { return std::make_shared<Block>(bytes); }
};

DenseTensor Lend(std::vector<float>* values, const DDim& dims) {
  DenseTensor tensor({.dims = dims, .strides = contiguous_strides(dims), .dtype = DataType::FLOAT32}, CPUPlace());
  tensor.Borrow(CPUPlace(), values->data());
  return tensor;
}

void SetWeight(Program* program, const char* name, float* value, bool is_mutable = false) {
  Parameter parameter;
  parameter.dtype = DataType::FLOAT32;
  parameter.dims = {1};
  parameter.data = value;
  parameter.is_mutable = is_mutable;
  program->weights()->Set(name, std::move(parameter));
}

// The outputs for x of `rows`, one after the other.
std::vector<float> Run(Executable* run, int64_t rows) {
  std::vector<float> x(3 * rows);
  std::iota(x.begin(), x.end(), -4.0f - static_cast<float>(rows % 2) * 3);
  const DenseTensor input = Lend(&x, {rows, 3});
  std::vector<float> all;
  for (const DenseTensor& out : run->Run({&input, 1})) {
    all.insert(all.end(), out.data<float>(), out.data<float>() + out.numel());
  }
  return all;
}

int Main() {
  static HeapAllocator allocator;
  static CPUContext context;
  context.SetAllocator(&allocator);
  context.SetHostAllocator(&allocator);
  DeviceContextPool::Instance().SetContext(AllocationType::CPU, &context);

  float w = 1, end = 3, n = 0;
  const auto program = ParseProgram(kProgram);
  SetWeight(program.get(), "w", &w);
  SetWeight(program.get(), "end", &end);
  const auto counter = ParseProgram(kCounter);
  SetWeight(counter.get(), "n", &n, true);
  std::vector<std::vector<float>> expected;
  Executable alone(*program, {});
  for (int shape = 0; shape < kShapes; ++shape) expected.push_back(Run(&alone, shape + 1));
  const size_t of_all = HeapAllocator::held;
  Executable largest(*program, {});
  Run(&largest, kShapes);
  const bool keeps_more = of_all > HeapAllocator::held - of_all;

  CompileOptions few;
  few.schedules = kShapes / 2;
  Executable run(*program, few), counts(*counter, {});
  std::atomic<int> wrong = 0;
  const auto work = [&](int thread) {
    std::vector<float> one = {1};
    const DenseTensor input = Lend(&one, {1});
    for (int round = 0; round < kRounds; ++round) {
      const int shape = (thread + round * (1 + thread % 5)) % kShapes;
      wrong += Run(&run, shape + 1) != expected[shape];
      counts.Run({&input, 1});
      if (round == thread) wrong += Run(std::make_unique<Executable>(*program, few).get(), 1) != expected[0];
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  wrong += n != kThreads * kRounds;
  std::printf("%d wrong answers%s\n", wrong.load(), keeps_more ? ", and memory of several shapes is kept" : "");
  return wrong != 0 || keeps_more;
}

}  // namespace
}  // namespace phi::ir

int main() { return phi::ir::Main(); }
