// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/primitive_factory.h"

namespace phi::primitive {

// A matrix in the order in which the device's library multiplies with it, for many products.
class PackedMatrix {
 public:
  virtual ~PackedMatrix() = default;
  // products = x @ the matrix, in float. Both are contiguous matrices, and `products` has memory.
  virtual void Multiply(const DenseTensor& x, DenseTensor* products) const = 0;
};

// Packs the matrix y, or its transpose, which is contiguous; null where that gains nothing. Of half types, by the
// libraries that torch carries, in csrc/torch/.
struct PackMatrix {
  static constexpr const char* kName = "pack_matrix";
  using Key = std::tuple<DataType>;
  using Fn = std::unique_ptr<PackedMatrix> (*)(const DeviceContext& dev_ctx, const DenseTensor& y, bool trans_y);
};

}  // namespace phi::primitive
