// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device_context.h"

namespace phi {

class CPUContext : public DeviceContext {
 public:
  CPUContext() : DeviceContext(CPUPlace()) {}
};

// Kernels of the backend ONEDNN run on the CPU and call oneDNN.
class OneDNNContext : public CPUContext {};

template <>
struct BackendContext<Backend::CPU> {
  using Type = CPUContext;
};
template <>
struct BackendContext<Backend::ONEDNN> {
  using Type = OneDNNContext;
};

}  // namespace phi
