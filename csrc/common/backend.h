// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace phi {

// The values are PHI's and order the backends by priority: the highest one among the inputs wins.
enum class Backend : uint8_t {
  UNDEFINED = 0,
  CPU,
  ONEDNN,
  GPU,
  GPUDNN,
  XPU,
  IPU,
  KPS,
  CUSTOM,
  NUM_BACKENDS,
  ALL_BACKEND = UNDEFINED,
};

const char* BackendName(Backend backend);
Backend StringToBackend(const std::string& name);

}  // namespace phi

namespace paddle {
using phi::Backend;
}
