// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device_context.h"

namespace phi {

// The context of a device of somebody else, which torch knows as PrivateUse1: a library of that device derives from it,
// and installs what makes its contexts in the DeviceContextPool.
class CustomContext : public DeviceContext {
 public:
  using DeviceContext::DeviceContext;
  void* stream() const { return stream_; }
  void SetStream(void* stream) { stream_ = stream; }

 private:
  void* stream_ = nullptr;  // as the device's own library has it
};

template <>
struct BackendContext<Backend::CUSTOM> {
  using Type = CustomContext;
};

}  // namespace phi
