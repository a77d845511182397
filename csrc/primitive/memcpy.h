// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

enum class MemcpyKind { kHostToHost, kHostToDevice, kDeviceToHost, kDeviceToDevice, kCount };

// Copies bytes that do not overlap, in the order of the context's stream. The CPU is its own device.
struct Memcpy {
  static constexpr const char* kName = "memcpy";
  using Key = std::tuple<MemcpyKind>;
  using Fn = void (*)(const DeviceContext& dev_ctx, void* to, const void* from, size_t bytes);
};

}  // namespace phi::primitive
