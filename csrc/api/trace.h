// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include "api/plan.h"
#include "common/flags.h"

// What phi_torch.explain and PHI_LOG=1 see of a call. A call that nobody observes pays one test of a flag.
namespace phi {

// Collects the plans of this thread's calls, whose kernels do not run, until the end of the scope.
class Tracer {
 public:
  explicit Tracer(std::vector<Plan>* plans);
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;
  static std::vector<Plan>* Current();

 private:
  std::vector<Plan>* previous_;
};

namespace detail {
inline std::atomic<int> tracers{0};  // of all threads
}

// Whether this thread's calls are traced: their results are zeros.
inline bool IsTraced() {
  return __builtin_expect(detail::tracers.load(std::memory_order_relaxed) != 0, 0) && Tracer::Current() != nullptr;
}
// Whether they are traced or logged.
inline bool IsObserved() { return __builtin_expect(Flags::log.load(std::memory_order_relaxed), 0) || IsTraced(); }
// Hands over the plan of a call: to the tracer, or printed. Returns whether the kernel is to run.
bool Observe(Plan plan);

}  // namespace phi
