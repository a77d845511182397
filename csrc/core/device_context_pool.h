// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "core/device_context.h"

namespace phi {

// The context of each place. A device's library installs its one context, or how to make contexts.
class DeviceContextPool {
 public:
  using Maker = DeviceContext* (*)(const Place& place);

  static DeviceContextPool& Instance() { return instance_; }
  // The context for `place`, with the current stream. Unavailable if no library for its device is loaded.
  DeviceContext* Get(const Place& place) const {
    DeviceContext* context = contexts_[static_cast<int>(place.GetType())].load(std::memory_order_acquire);
    return __builtin_expect(context != nullptr, 1) ? context : Make(place);
  }
  void SetMaker(AllocationType type, Maker maker) { makers_[static_cast<int>(type)] = maker; }
  // For a kind of device that has one context, whatever the stream or index.
  void SetContext(AllocationType type, DeviceContext* context) { contexts_[static_cast<int>(type)] = context; }

 private:
  DeviceContext* Make(const Place& place) const;

  static constexpr int kTypes = 10;
  static DeviceContextPool instance_;  // constant-initialised: libraries install contexts while they are loaded
  std::atomic<DeviceContext*> contexts_[kTypes] = {};
  std::atomic<Maker> makers_[kTypes] = {};
};

}  // namespace phi
