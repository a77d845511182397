// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <string>
#include <vector>

#include "common/flags.h"
#include "core/kernel_selection.h"

// What phi_torch.explain and PHI_LOG=1 see of a call. A call that nobody observes pays one test of a flag.
namespace phi {

struct TransformRecord {
  std::string argument;
  std::string what;
};

struct CallRecord {
  std::string op;
  std::string kernel_name;
  KernelKey key;
  std::vector<std::string> sources;  // where each part of the key came from
  std::vector<SelectionStep> steps;
  std::vector<TransformRecord> transforms;
  KernelResult result;
};

// Thrown through a traced call in the place of running its kernel.
struct TraceStop : std::exception {
  const char* what() const noexcept override { return "the call was traced up to its kernel"; }
};

class Tracer {
 public:
  // Records the calls of this thread instead of running kernels, until the end of the scope.
  explicit Tracer(std::vector<CallRecord>* records);
  ~Tracer();
  static std::vector<CallRecord>* Current();

 private:
  std::vector<CallRecord>* previous_;
};

namespace detail {
inline std::atomic<int> tracers{0};  // of all threads
}

// Whether this thread's calls are traced or logged.
inline bool IsObserved() {
  if (__builtin_expect(Flags::log.load(std::memory_order_relaxed), 0)) return true;
  return __builtin_expect(detail::tracers.load(std::memory_order_relaxed) != 0, 0) && Tracer::Current() != nullptr;
}
// Hands over a finished record: a traced call ends here with TraceStop, a logged one is printed.
void Observe(const CallRecord& record);

}  // namespace phi
