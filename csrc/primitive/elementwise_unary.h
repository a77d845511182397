// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <typeinfo>

#include "core/device_context.h"
#include "core/kernel_factory.h"

namespace phi::primitive {

// Elementwise operators by name, for callers that know the operator only at run time. What is found is the operator's
// kernel, whose attributes, if it has some, could not be given: such an operator is not found.
//
// out = op(x); `out`, of the dtype that InferMeta says, is allocated.
struct ElementwiseUnary {
  using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, DenseTensor* out);
  static Fn Find(Backend backend, const std::string& op, DataType dtype) {
    const KernelKey key(backend, DataLayout::ALL_LAYOUT, dtype);
    return reinterpret_cast<Fn>(KernelFactory::Instance().FindTyped(op, key, typeid(Fn).name()));
  }
};

}  // namespace phi::primitive
