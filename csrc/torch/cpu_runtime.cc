// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>
#include <dlfcn.h>

#include "core/parallel.h"
#include "core/vector_library.h"

// What torch lends to the kernels of the CPU: its thread pool, and the functions of vectors that it carries.
namespace phi::torch_bridge {

namespace {

class TorchThreadPool final : public ThreadPool {
 public:
  void Run(int64_t n, int64_t grain, Range range, const void* body) const override {
    at::parallel_for(0, n, grain, [=](int64_t begin, int64_t end) { range(body, begin, end); });
  }
  int size() const override { return at::get_num_threads(); }
  bool is_running() const override { return at::in_parallel_region(); }
};

[[maybe_unused]] const bool cpu_runtime_registered = [] {
  ThreadPool::Install(new TorchThreadPool);
  VectorLibrary::Install([](const char* name) { return dlsym(RTLD_DEFAULT, name); });
  return true;
}();

}  // namespace

}  // namespace phi::torch_bridge
