// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymIntArrayRef.h>

#include <string_view>

#include "common/data_type.h"
#include "common/int_array.h"
#include "common/layout.h"
#include "common/place.h"
#include "common/scalar.h"

// PHI's value types to torch's and back.
namespace phi::torch_bridge {

DataType ToPhi(at::ScalarType type);
at::ScalarType ToTorch(DataType type);

inline Place ToPhi(const c10::Device& device) {
  return device.is_cpu()    ? CPUPlace()
         : device.is_cuda() ? GPUPlace(device.index())
                            : Place(AllocationType::CUSTOM, device.index());
}
c10::Device ToTorch(const Place& place);

Scalar ToPhi(const at::Scalar& scalar);

// The default is the YAML's, for None.
inline DataType ToPhi(const std::optional<at::ScalarType>& type, DataType none) { return type ? ToPhi(*type) : none; }
inline Place ToPhi(const std::optional<at::Device>& device, const Place& none) {
  return device ? ToPhi(*device) : none;
}

inline IntArray ToIntArray(c10::SymIntArrayRef values) {
  const at::IntArrayRef ints = C10_AS_INTARRAYREF_SLOW(values);
  return IntArray(ints.data(), ints.size());
}

// An attribute that YAML declares as 32-bit int.
int64_t CheckInt32(int64_t value, const char* argument);

template <typename To, typename From>
std::vector<To> ToVector(at::ArrayRef<From> values, [[maybe_unused]] const char* argument) {
  std::vector<To> result;
  result.reserve(values.size());
  for (const auto& v : values) {
    if constexpr (std::is_same_v<To, int>) {
      result.push_back(static_cast<int>(CheckInt32(v, argument)));
    } else if constexpr (std::is_same_v<To, Scalar>) {
      result.push_back(ToPhi(v));
    } else {
      result.push_back(static_cast<To>(v));
    }
  }
  return result;
}

}  // namespace phi::torch_bridge
