// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>

#include "api/data_transform.h"
#include "core/kernel_factory.h"

namespace phi {

// The one place in the generated API that calls a kernel name: the set of kernels, bound once.
class OpSite {
 public:
  // `op` with its namespace. `signature` is that of the call; kernels that have another one are refused.
  OpSite(const char* op, const char* kernel_name, const FunctionSignature& signature, const CallRule& rule = {});
  const char* op() const { return op_; }
  const KernelSet& kernels() const { return kernels_; }
  // Warns once per op that data goes to the CPU and back, if the policy says so.
  void WarnFallback(const KernelKey& key) const;

 private:
  const char* op_;
  KernelSet& kernels_;
  mutable std::atomic<bool> warned_{false};
};

// The rule of the operators that call this kernel; that of a kernel which no operator calls says nothing.
CallRule CallRuleOf(const std::string& kernel_name);

}  // namespace phi
