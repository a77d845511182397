// SPDX-License-Identifier: Apache-2.0
#include "torch/convert.h"

#include <limits>

namespace phi::torch_bridge {

DataType ToPhi(at::ScalarType type) {
  switch (type) {
    case at::kBool:
      return DataType::BOOL;
    case at::kByte:
      return DataType::UINT8;
    case at::kChar:
      return DataType::INT8;
    case at::kUInt16:
      return DataType::UINT16;
    case at::kShort:
      return DataType::INT16;
    case at::kUInt32:
      return DataType::UINT32;
    case at::kInt:
      return DataType::INT32;
    case at::kUInt64:
      return DataType::UINT64;
    case at::kLong:
      return DataType::INT64;
    case at::kFloat:
      return DataType::FLOAT32;
    case at::kDouble:
      return DataType::FLOAT64;
    case at::kComplexFloat:
      return DataType::COMPLEX64;
    case at::kComplexDouble:
      return DataType::COMPLEX128;
    case at::kHalf:
      return DataType::FLOAT16;
    case at::kBFloat16:
      return DataType::BFLOAT16;
    case at::kFloat8_e4m3fn:
      return DataType::FLOAT8_E4M3FN;
    case at::kFloat8_e5m2:
      return DataType::FLOAT8_E5M2;
    default:
      PADDLE_THROW(errors::InvalidType("torch.%s has no counterpart among PHI's data types", c10::toString(type)));
  }
}

at::ScalarType ToTorch(DataType type) {
  switch (type) {
    case DataType::BOOL:
      return at::kBool;
    case DataType::UINT8:
      return at::kByte;
    case DataType::INT8:
      return at::kChar;
    case DataType::UINT16:
      return at::kUInt16;
    case DataType::INT16:
      return at::kShort;
    case DataType::UINT32:
      return at::kUInt32;
    case DataType::INT32:
      return at::kInt;
    case DataType::UINT64:
      return at::kUInt64;
    case DataType::INT64:
      return at::kLong;
    case DataType::FLOAT32:
      return at::kFloat;
    case DataType::FLOAT64:
      return at::kDouble;
    case DataType::COMPLEX64:
      return at::kComplexFloat;
    case DataType::COMPLEX128:
      return at::kComplexDouble;
    case DataType::FLOAT16:
      return at::kHalf;
    case DataType::BFLOAT16:
      return at::kBFloat16;
    case DataType::FLOAT8_E4M3FN:
      return at::kFloat8_e4m3fn;
    case DataType::FLOAT8_E5M2:
      return at::kFloat8_e5m2;
    default:
      PADDLE_THROW(errors::InvalidType("the data type %s has no counterpart in torch", DataTypeName(type)));
  }
}

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

int64_t CheckInt32(int64_t value, const char* argument) {
  PADDLE_ENFORCE(value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max(),
                 errors::OutOfRange("argument '%s': expected a 32-bit integer, got %d", argument, value));
  return value;
}

}  // namespace phi::torch_bridge
