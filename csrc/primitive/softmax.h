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

// The gradient of a softmax from its result; all are contiguous, of one floating dtype, and have elements and memory:
// x_grad = (out_grad - sum(out_grad * out)) * out, with the sum along the axis.
struct SoftmaxGrad {
  static constexpr const char* kName = "softmax_grad";
  using Key = Softmax::Key;
  using Fn = void (*)(
      const DeviceContext& dev_ctx, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad);
};

// That of its logarithm: x_grad = out_grad - exp(out) * sum(out_grad).
struct LogSoftmaxGrad {
  static constexpr const char* kName = "log_softmax_grad";
  using Key = Softmax::Key;
  using Fn = SoftmaxGrad::Fn;
};

}  // namespace phi::primitive
