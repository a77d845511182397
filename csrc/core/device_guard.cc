// SPDX-License-Identifier: Apache-2.0
#include "core/device_guard.h"

#include <atomic>

namespace phi {

namespace {
constexpr int kTypes = 10;
// constant-initialised: libraries register while they are loaded
std::atomic<DeviceGuard::Exchange> g_exchanges[kTypes] = {};
}  // namespace

void DeviceGuard::SetExchange(AllocationType type, Exchange exchange) {
  g_exchanges[static_cast<int>(type)] = exchange;
}

void DeviceGuard::Enter(const Place& place) {
  const Exchange exchange = g_exchanges[static_cast<int>(place.GetType())].load(std::memory_order_acquire);
  if (exchange == nullptr) return;
  previous_ = exchange(place.GetDeviceId());
  exchange_ = exchange;
}

}  // namespace phi
