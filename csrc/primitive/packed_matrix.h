// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/primitive_factory.h"

namespace phi::primitive {

// A matrix in the order in which the device's library multiplies with it, for many products.
class PackedMatrix {
 public:
  virtual ~PackedMatrix() = default;
  // products = x @ the matrix, or added to them, in float. Both are contiguous matrices, and `products` has memory.
  virtual void Multiply(const DenseTensor& x, bool accumulate, DenseTensor* products) const = 0;
};

// Packs the matrix y, or its transpose, which is contiguous and outlives what is made, for matrices x of so many rows;
// null where that gains nothing. By the libraries that torch carries, in csrc/torch/.
struct PackMatrix {
  static constexpr const char* kName = "pack_matrix";
  using Key = std::tuple<DataType>;
  using Fn = std::unique_ptr<PackedMatrix> (*)(const DeviceContext& dev_ctx,
                                               const DenseTensor& y,
                                               bool trans_y,
                                               int64_t rows);
};

}  // namespace phi::primitive
