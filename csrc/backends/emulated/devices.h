// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace phi::emulated {

inline constexpr int kDevices = 2;

// The thread's current device.
int CurrentDevice();
// Makes another one current, and returns the one that was.
int ExchangeDevice(int device);

}  // namespace phi::emulated
