// SPDX-License-Identifier: Apache-2.0
#include "api/op_site.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <sstream>

#include "common/flags.h"

namespace phi {

namespace {

struct Rules {
  std::mutex mutex;
  std::map<std::string, CallRule> of_kernels;
};

Rules& AllRules() {
  static Rules& rules = *new Rules;  // never destroyed, as the kernels are not
  return rules;
}

}  // namespace

OpSite::OpSite(const char* op, const char* kernel_name, const FunctionSignature& signature, const CallRule& rule)
    : op_(op), kernels_(KernelFactory::Instance().GetOrCreate(kernel_name)) {
  Flags::Instance();  // reads the environment before the first call asks whether it is observed
  kernels_.ExpectSignature(signature, op);
  const std::lock_guard<std::mutex> lock(AllRules().mutex);
  AllRules().of_kernels.emplace(kernel_name, rule);
}

CallRule CallRuleOf(const std::string& kernel_name) {
  const std::lock_guard<std::mutex> lock(AllRules().mutex);
  const auto found = AllRules().of_kernels.find(kernel_name);
  return found == AllRules().of_kernels.end() ? CallRule() : found->second;
}

void OpSite::WarnFallback(const KernelKey& key) const {
  if (Flags::Instance().cpu_fallback != static_cast<int>(FallbackPolicy::kWarn) || warned_.exchange(true)) return;
  std::ostringstream os;
  os << op_ << ": no kernel for " << key << "; the data is copied to the CPU and back (shown once; set the flag "
     << "cpu_fallback to 'error' or 'silent')\n";
  std::fputs(os.str().c_str(), stderr);
}

}  // namespace phi
