// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"
#include "primitive/loop/philox.h"

namespace phi::primitive {

// n random numbers of a floating type, the key, from `low` on and below `high`, each rounded to the type. `state`
// stands for as many counters as the numbers take (PhiloxCounters): number i depends on it and on i alone.
struct UniformNumbers {
  static constexpr const char* kName = "uniform_numbers";
  using Key = std::tuple<DataType>;
  using Fn =
      void (*)(const DeviceContext& dev_ctx, const PhiloxState& state, double low, double high, int64_t n, void* out);
};

// Of a normal distribution.
struct NormalNumbers {
  static constexpr const char* kName = "normal_numbers";
  using Key = UniformNumbers::Key;
  using Fn =
      void (*)(const DeviceContext& dev_ctx, const PhiloxState& state, double mean, double std, int64_t n, void* out);
};

}  // namespace phi::primitive
