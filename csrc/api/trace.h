// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <string>
#include <vector>

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

// Whether this thread's calls are traced or logged.
bool IsObserved();
// Hands over a finished record: a traced call ends here with TraceStop, a logged one is printed.
void Observe(const CallRecord& record);

}  // namespace phi
