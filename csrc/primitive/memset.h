// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

// Sets bytes on the device to a value.
struct Memset {
  static constexpr const char* kName = "memset";
  using Key = std::tuple<>;
  using Fn = void (*)(const DeviceContext& dev_ctx, void* to, int value, size_t bytes);
};

// Zeros in all elements of a dense tensor, which has memory.
inline void SetZero(const DeviceContext& dev_ctx, DenseTensor* out) {
  const size_t bytes = static_cast<size_t>(out->numel()) * SizeOf(out->dtype());
  if (bytes > 0) GetPrimitive<Memset>(dev_ctx)(dev_ctx, out->data(), 0, bytes);
}

}  // namespace phi::primitive
