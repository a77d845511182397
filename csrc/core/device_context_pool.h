// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/device_context.h"

namespace phi {

// The context of each place. A device's library installs how to make its contexts.
class DeviceContextPool {
 public:
  using Maker = DeviceContext* (*)(const Place& place);

  static DeviceContextPool& Instance();
  // The context for `place`, with the current stream. Unavailable if no library for its device is loaded.
  DeviceContext* Get(const Place& place) const;
  void SetMaker(AllocationType type, Maker maker);

 private:
  Maker makers_[10] = {};
};

}  // namespace phi
