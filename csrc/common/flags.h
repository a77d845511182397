// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace phi {

// What to do when only the CPU has a kernel for the data of another device.
enum class FallbackPolicy : int { kError = 0, kWarn = 1, kSilent = 2 };

// Process-wide switches, set from Python (phi_torch.flags) or by the environment variable PHI_<NAME>.
struct Flags {
  std::atomic<bool> use_onednn{true};         // CPU keys take ONEDNN kernels where there are
  std::atomic<bool> use_cudnn{true};          // GPU keys take GPUDNN kernels where there are
  std::atomic<bool> use_stride_kernel{true};  // kernels of the layout STRIDED take part
  std::atomic<bool> use_kps{true};            // kernels of the backend KPS take part
  std::atomic<int> cpu_fallback{static_cast<int>(FallbackPolicy::kWarn)};
  // One line per call on stderr. Every call asks, so it is reached without Instance(), which the first selection makes.
  static inline std::atomic<bool> log{false};

  static Flags& Instance();
};

// By name, as text; InvalidArgument lists the names and values that there are.
void SetFlag(const std::string& name, const std::string& value);
std::string GetFlag(const std::string& name);
std::vector<std::string> FlagNames();

}  // namespace phi
