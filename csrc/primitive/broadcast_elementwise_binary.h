// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <typeinfo>

#include "core/device_context.h"
#include "core/kernel_factory.h"

namespace phi::primitive {

// As ElementwiseUnary: out = op(x, y), for x and y of one dtype that broadcast to the shape of `out`.
struct BroadcastElementwiseBinary {
  using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out);
  static Fn Find(Backend backend, const std::string& op, DataType dtype) {
    const KernelKey key(backend, DataLayout::ALL_LAYOUT, dtype);
    return reinterpret_cast<Fn>(KernelFactory::Instance().FindTyped(op, key, typeid(Fn).name()));
  }
};

}  // namespace phi::primitive
