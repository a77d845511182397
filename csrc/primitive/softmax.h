// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

// out = softmax(x) along an axis; both are contiguous, of one floating dtype, and have elements and memory.
struct Softmax {
  static constexpr const char* kName = "softmax";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out);
};

// Its logarithm.
struct LogSoftmax {
  static constexpr const char* kName = "log_softmax";
  using Key = Softmax::Key;
  using Fn = Softmax::Fn;
};

}  // namespace phi::primitive
