// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymIntArrayRef.h>

#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "common/data_type.h"
#include "common/int_array.h"
#include "common/layout.h"
#include "common/place.h"
#include "common/scalar.h"

// PHI's value types to torch's and back.
namespace phi::torch_bridge {

namespace detail {

// The data types that both sides have.
inline constexpr std::pair<at::ScalarType, DataType> kDataTypes[] = {
    {at::kBool, DataType::BOOL},
    {at::kByte, DataType::UINT8},
    {at::kChar, DataType::INT8},
    {at::kUInt16, DataType::UINT16},
    {at::kShort, DataType::INT16},
    {at::kUInt32, DataType::UINT32},
    {at::kInt, DataType::INT32},
    {at::kUInt64, DataType::UINT64},
    {at::kLong, DataType::INT64},
    {at::kFloat, DataType::FLOAT32},
    {at::kDouble, DataType::FLOAT64},
    {at::kComplexFloat, DataType::COMPLEX64},
    {at::kComplexDouble, DataType::COMPLEX128},
    {at::kHalf, DataType::FLOAT16},
    {at::kBFloat16, DataType::BFLOAT16},
    {at::kFloat8_e4m3fn, DataType::FLOAT8_E4M3FN},
    {at::kFloat8_e5m2, DataType::FLOAT8_E5M2},
};

inline constexpr auto kToPhi = [] {
  std::array<DataType, static_cast<size_t>(at::ScalarType::NumOptions)> table{};  // UNDEFINED
  for (const auto& [torch, phi] : kDataTypes) table[static_cast<size_t>(torch)] = phi;
  return table;
}();

inline constexpr auto kToTorch = [] {
  std::array<at::ScalarType, static_cast<size_t>(DataType::NUM_DATA_TYPES)> table{};
  table.fill(at::ScalarType::Undefined);
  for (const auto& [torch, phi] : kDataTypes) table[static_cast<size_t>(phi)] = torch;
  return table;
}();

[[noreturn]] void ThrowNoCounterpart(at::ScalarType type);
[[noreturn]] void ThrowNoCounterpart(DataType type);
// That of a device which is neither the CPU nor a GPU; the meta device has none.
Place OtherPlace(const c10::Device& device);
[[noreturn]] void ThrowNoInt32(int64_t value, const char* argument);
[[noreturn]] void ThrowListSize(int64_t size, const char* output);
// Of symbolic sizes, and of numbers below -2^62, which a SymInt holds as such.
IntArray GuardedIntArray(c10::SymIntArrayRef values);

}  // namespace detail

inline DataType ToPhi(at::ScalarType type) {
  const auto number = static_cast<size_t>(type);  // torch.ops takes any
  const DataType found = number < detail::kToPhi.size() ? detail::kToPhi[number] : DataType::UNDEFINED;
  if (__builtin_expect(found == DataType::UNDEFINED, 0)) detail::ThrowNoCounterpart(type);
  return found;
}
inline at::ScalarType ToTorch(DataType type) {
  const at::ScalarType found = detail::kToTorch[static_cast<size_t>(type)];
  if (__builtin_expect(found == at::ScalarType::Undefined, 0)) detail::ThrowNoCounterpart(type);
  return found;
}

inline Place ToPhi(const c10::Device& device) {
  if (device.is_cpu()) return CPUPlace();
  if (device.is_cuda()) return GPUPlace(device.index());
  return detail::OtherPlace(device);
}
c10::Device ToTorch(const Place& place);

Scalar ToPhi(const at::Scalar& scalar, const char* argument);
// A complex number is for an operator whose tensors are complex.
void CheckReal(const Scalar& scalar, const char* argument, std::initializer_list<DataType> tensors);

// The default is the YAML's, for None.
inline DataType ToPhi(const std::optional<at::ScalarType>& type, DataType none) { return type ? ToPhi(*type) : none; }
inline Place ToPhi(const std::optional<at::Device>& device, const Place& none) {
  return device ? ToPhi(*device) : none;
}

inline IntArray ToIntArray(c10::SymIntArrayRef values) {
  if (const auto ints = c10::asIntArrayRefSlowOpt(values)) return IntArray(ints->data(), ints->size());
  return detail::GuardedIntArray(values);
}

// The length of an output Tensor[], which the YAML's expression gives.
inline size_t ListSize(int64_t size, const char* output) {
  if (__builtin_expect(static_cast<uint64_t>(size) > (1u << 24), 0)) detail::ThrowListSize(size, output);
  return static_cast<size_t>(size);
}

// An attribute that YAML declares as 32-bit int.
inline int64_t CheckInt32(int64_t value, const char* argument) {
  if (__builtin_expect(value != static_cast<int32_t>(value), 0)) detail::ThrowNoInt32(value, argument);
  return value;
}

template <typename To, typename From>
std::vector<To> ToVector(at::ArrayRef<From> values, [[maybe_unused]] const char* argument) {
  std::vector<To> result;
  result.reserve(values.size());
  for (const auto& v : values) {
    if constexpr (std::is_same_v<To, int>) {
      result.push_back(static_cast<int>(CheckInt32(v, argument)));
    } else if constexpr (std::is_same_v<To, Scalar>) {
      result.push_back(ToPhi(v, argument));
    } else {
      result.push_back(static_cast<To>(v));
    }
  }
  return result;
}

}  // namespace phi::torch_bridge
