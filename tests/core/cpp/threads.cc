// SPDX-License-Identifier: Apache-2.0
// Eight threads select kernels, register more, and ask for contexts at random. Built with the core's sources alone and
// the thread sanitizer, which ends the program with an error at the first data race.
#include <atomic>
#include <cstdio>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "backends/all_context.h"
#include "core/device_context_pool.h"
#include "core/kernel_registry.h"
#include "core/kernel_selection.h"

namespace phi {

template <typename T, typename Context>
void ThreadedKernel(const Context&, const DenseTensor&, DenseTensor*) {}

}  // namespace phi

PD_REGISTER_KERNEL(threaded, CPU, ALL_LAYOUT, phi::ThreadedKernel, float, double) {}
PD_REGISTER_KERNEL(threaded, GPU, ALL_LAYOUT, phi::ThreadedKernel, float) {}

namespace {

using namespace phi;  // NOLINT

constexpr int kThreads = 8;
constexpr int kRounds = 2000;
std::atomic<int> wrong{0};
CPUContext context;

void Check(bool condition) { wrong += !condition; }

Kernel Make(const KernelKey& key) {
  using Fn = void (*)(const CPUContext&, const DenseTensor&, DenseTensor*);
  return KernelImpl<Fn, &ThreadedKernel<float, CPUContext>>::Get().Make(key, __FILE__, __LINE__);
}

void Select(const KernelSet& set, std::mt19937& random) {
  const Backend backend = random() % 2 ? Backend::CPU : Backend::GPU;
  const DataType dtype = random() % 2 || backend == Backend::GPU ? DataType::FLOAT32 : DataType::FLOAT64;
  const DataLayout layout = random() % 2 ? DataLayout::NCHW : DataLayout::ALL_LAYOUT;
  const KernelResult& result = set.Select(KernelKey(backend, layout, dtype), random() % 2 != 0);
  Check(result.kernel != nullptr && result.key.dtype() == dtype && result.key.backend() == backend);
}

void Work(int thread) {
  KernelFactory& factory = KernelFactory::Instance();
  std::mt19937 random(thread);
  for (int i = 0; i < kRounds; ++i) {
    const std::string name = "threaded_" + std::to_string(random() % 20);
    switch (random() % 6) {
      case 0: {  // whoever comes first makes the set; the other set is being selected from
        const bool fresh = random() % 2;
        const DataType dtype = fresh ? DataType::FLOAT32 : DataType::FLOAT16;
        const KernelKey key(Backend::CPU, DataLayout::ALL_LAYOUT, dtype);
        factory.Register(fresh ? name : "threaded", key, Make(key), true);
        break;
      }
      case 1:
        if (const KernelSet* set = factory.Find(name)) Check(set->name() == name);
        break;
      case 2:
        Check(!factory.Names().empty());
        break;
      case 3:
        Check(DeviceContextPool::Instance().Get(CPUPlace()) != nullptr);
        DeviceContextPool::Instance().SetContext(AllocationType::CPU, &context);
        break;
      case 4:
        factory.ClearSelections();
        break;
      default:
        Select(*factory.Find("threaded"), random);
    }
  }
}

}  // namespace

int main() {
  DeviceContextPool::Instance().SetContext(AllocationType::CPU, &context);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(Work, i);
  for (std::thread& thread : threads) thread.join();
  std::printf("%d wrong answers\n", wrong.load());
  return wrong != 0;
}
