// SPDX-License-Identifier: Apache-2.0
#include "common/flags.h"

#include <cstdlib>

#include "common/enforce.h"

namespace phi {

namespace {

constexpr const char* kPolicies[] = {"error", "warn", "silent"};

std::atomic<bool>* BoolFlag(Flags& flags, const std::string& name) {
  if (name == "use_onednn") return &flags.use_onednn;
  if (name == "use_cudnn") return &flags.use_cudnn;
  if (name == "use_stride_kernel") return &flags.use_stride_kernel;
  if (name == "use_kps") return &flags.use_kps;
  if (name == "log") return &flags.log;
  return nullptr;
}

void Set(Flags& flags, const std::string& name, const std::string& value) {
  if (name == "cpu_fallback") {
    for (int i = 0; i < 3; ++i) {
      if (value == kPolicies[i]) {
        flags.cpu_fallback = i;
        return;
      }
    }
    PADDLE_THROW(errors::InvalidArgument("flag cpu_fallback is 'error', 'warn' or 'silent', got '%s'", value));
  }
  std::atomic<bool>* flag = BoolFlag(flags, name);
  PADDLE_ENFORCE_NOT_NULL(flag,
                          errors::InvalidArgument("there is no flag '%s'; flags are use_onednn, use_cudnn, "
                                                  "use_stride_kernel, use_kps, cpu_fallback, log",
                                                  name));
  const bool on = value == "1" || value == "true" || value == "True";
  PADDLE_ENFORCE(on || value == "0" || value == "false" || value == "False" || value.empty(),
                 errors::InvalidArgument("flag %s is true or false, got '%s'", name, value));
  *flag = on;
}

}  // namespace

std::vector<std::string> FlagNames() {
  return {"use_onednn", "use_cudnn", "use_stride_kernel", "use_kps", "cpu_fallback", "log"};
}

Flags& Flags::Instance() {
  static Flags& flags = *[] {
    auto* made = new Flags;  // never destroyed: kernels may run while the process ends
    for (const std::string& name : FlagNames()) {
      std::string variable = "PHI_" + name;
      for (char& c : variable) c = static_cast<char>(toupper(static_cast<unsigned char>(c)));
      if (const char* value = std::getenv(variable.c_str())) Set(*made, name, value);
    }
    return made;
  }();
  return flags;
}

void SetFlag(const std::string& name, const std::string& value) { Set(Flags::Instance(), name, value); }

std::string GetFlag(const std::string& name) {
  Flags& flags = Flags::Instance();
  if (name == "cpu_fallback") return kPolicies[flags.cpu_fallback];
  const std::atomic<bool>* flag = BoolFlag(flags, name);
  PADDLE_ENFORCE_NOT_NULL(flag, errors::InvalidArgument("there is no flag '%s'", name));
  return *flag ? "true" : "false";
}

}  // namespace phi
