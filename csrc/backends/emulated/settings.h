// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace phi::emulated {

// In which order the blocks of a grid run, and the threads of a block until they wait.
enum class Order : int { kAscending = 0, kDescending = 1, kRandom = 2 };

struct Settings {
  Order order = Order::kAscending;
  uint64_t seed = 0;   // of a random order
  int processors = 1;  // that the device says it has
};

// Those of the process.
Settings& CurrentSettings();

}  // namespace phi::emulated
