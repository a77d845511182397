// SPDX-License-Identifier: Apache-2.0
#include "torch/convert.h"

namespace phi::torch_bridge {

namespace detail {

void ThrowNoCounterpart(at::ScalarType type) {
  PADDLE_THROW(errors::InvalidType("torch.%s has no counterpart among PHI's data types", c10::toString(type)));
}

void ThrowNoCounterpart(DataType type) {
  PADDLE_THROW(errors::InvalidType("the data type %s has no counterpart in torch", DataTypeName(type)));
}

void ThrowNoInt32(int64_t value, const char* argument) {
  PADDLE_THROW(errors::OutOfRange("argument '%s': expected a 32-bit integer, got %d", argument, value));
}

}  // namespace detail

c10::Device ToTorch(const Place& place) {
  switch (place.GetType()) {
    case AllocationType::GPU:
      return c10::Device(c10::kCUDA, place.GetDeviceId());
    case AllocationType::CUSTOM:
      return c10::Device(c10::kPrivateUse1, place.GetDeviceId());
    default:
      return c10::Device(c10::kCPU);
  }
}

Scalar ToPhi(const at::Scalar& scalar) {
  if (scalar.isBoolean()) return Scalar(scalar.toBool());
  if (scalar.isIntegral(false)) return Scalar(scalar.toLong());
  if (scalar.isComplex()) return Scalar(complex128(scalar.toComplexDouble()));
  return Scalar(scalar.toDouble());
}

}  // namespace phi::torch_bridge
