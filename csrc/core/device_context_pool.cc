// SPDX-License-Identifier: Apache-2.0
#include "core/device_context_pool.h"

namespace phi {

constinit DeviceContextPool DeviceContextPool::instance_;

DeviceContext* DeviceContextPool::Make(const Place& place) const {
  const Maker maker = makers_[static_cast<int>(place.GetType())];
  PADDLE_ENFORCE_NOT_NULL(maker, errors::Unavailable("no library for the device '%s' is loaded", place.DebugString()));
  return maker(place);
}

}  // namespace phi
