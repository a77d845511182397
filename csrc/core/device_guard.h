// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/place.h"

namespace phi {

// Makes the device of a place the thread's current one, until the end of the scope.
class DeviceGuard {
 public:
  // Makes this device of its kind current, and returns the one that was.
  using Exchange = int8_t (*)(int8_t device);
  // A kind of device without one has no current device: the CPU.
  static void SetExchange(AllocationType type, Exchange exchange);

  DeviceGuard() = default;
  explicit DeviceGuard(const Place& place) { Enter(place); }
  ~DeviceGuard() {
    if (__builtin_expect(exchange_ != nullptr, 0)) exchange_(previous_);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  // For a guard that was made without a place.
  void Enter(const Place& place);

 private:
  Exchange exchange_ = nullptr;
  int8_t previous_ = 0;
};

}  // namespace phi
