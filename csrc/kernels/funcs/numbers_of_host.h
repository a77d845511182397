// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "primitive/memcpy.h"

namespace phi::funcs {

// int64 numbers of the host as a tensor of the device.
inline DenseTensor ToDevice(const DeviceContext& dev_ctx, const std::vector<int64_t>& numbers) {
  DenseTensor tensor;
  tensor.Resize({static_cast<int64_t>(numbers.size())});
  void* data = dev_ctx.Alloc<int64_t>(&tensor);
  if (numbers.empty()) return tensor;
  const auto copy = GetPrimitive<primitive::Memcpy>(dev_ctx, primitive::MemcpyKind::kHostToDevice);
  copy(dev_ctx, data, numbers.data(), numbers.size() * sizeof(int64_t));
  dev_ctx.Wait();  // the numbers may go
  return tensor;
}

// The elements of a contiguous tensor of int32 or int64.
inline std::vector<int64_t> ToHost(const DeviceContext& dev_ctx, const DenseTensor& x) {
  const auto read = [&](auto type) {
    std::vector<decltype(type)> numbers(x.numel());
    const auto copy = GetPrimitive<primitive::Memcpy>(dev_ctx, primitive::MemcpyKind::kDeviceToHost);
    if (!numbers.empty()) copy(dev_ctx, numbers.data(), x.data(), numbers.size() * sizeof(type));
    dev_ctx.Wait();
    return std::vector<int64_t>(numbers.begin(), numbers.end());
  };
  return x.dtype() == DataType::INT32 ? read(int32_t()) : read(int64_t());
}

}  // namespace phi::funcs
