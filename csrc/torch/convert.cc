// SPDX-License-Identifier: Apache-2.0
#include "torch/convert.h"

#include <c10/core/DeviceType.h>

#include <algorithm>
#include <atomic>

#include "torch/device_of_gpu.h"

namespace phi::torch_bridge {

namespace {
std::atomic<c10::DeviceType> g_device_of_gpu{c10::kCUDA};
}  // namespace

namespace detail {

void ThrowNoCounterpart(at::ScalarType type) {
  PADDLE_THROW(errors::InvalidType("torch.%s has no counterpart among PHI's data types", c10::toString(type)));
}

void ThrowNoCounterpart(DataType type) {
  PADDLE_THROW(errors::InvalidType("the data type %s has no counterpart in torch", DataTypeName(type)));
}

Place OtherPlace(const c10::Device& device) {
  if (device.type() == g_device_of_gpu) return GPUPlace(device.index());
  if (device.is_privateuseone()) return CustomPlace(device.index());
  if (device.is_meta()) return Place();
  PADDLE_THROW(errors::Unimplemented(
      "expected a device of the kind cpu, cuda or %s, got '%s', which no kernel of phi runs on; move the tensors with "
      ".to('cpu'), or give another device",
      c10::get_privateuse1_backend(),
      device.str()));
}

void ThrowNoInt32(int64_t value, const char* argument) {
  PADDLE_THROW(errors::OutOfRange("argument '%s': expected a 32-bit integer, got %d", argument, value));
}

void ThrowListSize(int64_t size, const char* output) {
  PADDLE_THROW(
      errors::InvalidArgument("output '%s' is a list: expected a length from 0 to 2^24, got %d", output, size));
}

IntArray GuardedIntArray(c10::SymIntArrayRef values) {
  std::vector<int64_t> ints;
  for (const c10::SymInt& value : values) ints.push_back(value.guard_int(__FILE__, __LINE__));
  return ints;
}

}  // namespace detail

c10::DeviceType SetDeviceOfGpu(c10::DeviceType type) { return g_device_of_gpu.exchange(type); }

c10::Device ToTorch(const Place& place) {
  switch (place.GetType()) {
    case AllocationType::GPU: {
      const c10::DeviceType type = g_device_of_gpu;
      return type == c10::kCPU ? c10::Device(type) : c10::Device(type, place.GetDeviceId());
    }
    case AllocationType::CUSTOM:
      return c10::Device(c10::kPrivateUse1, place.GetDeviceId());
    default:
      return c10::Device(c10::kCPU);
  }
}

Scalar ToPhi(const at::Scalar& scalar, const char* argument) {
  if (scalar.isBoolean()) return Scalar(scalar.toBool());
  PADDLE_ENFORCE(
      scalar.type() != at::kUInt64,
      errors::OutOfRange(
          "argument '%s': expected a 64-bit integer, got %d; a float may be as large", argument, scalar.toUInt64()));
  if (scalar.isIntegral(false)) return Scalar(scalar.toLong());
  if (scalar.isComplex()) return Scalar(complex128(scalar.toComplexDouble()));
  return Scalar(scalar.toDouble());
}

void CheckReal(const Scalar& scalar, const char* argument, std::initializer_list<DataType> tensors) {
  const complex128 value = scalar.to<complex128>();
  PADDLE_ENFORCE(std::any_of(tensors.begin(), tensors.end(), IsComplexType),
                 errors::InvalidArgument("argument '%s': expected a real number for tensors that are not complex, got "
                                         "%f + %f i",
                                         argument,
                                         value.real(),
                                         value.imag()));
}

}  // namespace phi::torch_bridge
