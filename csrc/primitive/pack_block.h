// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

// The elements of a matrix in memory, with any strides.
struct MatrixBlock {
  const float* data;
  int64_t rows;
  int64_t cols;
  int64_t row_stride;
  int64_t col_stride;
};

// Copies a block to lines of `stride` elements, and fills `rows` of them to `cols` elements with zeros.
struct PackBlock {
  static constexpr const char* kName = "pack_block";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const MatrixBlock& from, float* to, int64_t stride, int64_t rows, int64_t cols);
};

}  // namespace phi::primitive
