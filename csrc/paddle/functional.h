// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "paddle/ops.h"

// The functions of paddle:: on tensors: all operators (paddle/ops.h, generated) and these, which are made of them.
namespace paddle::experimental {

inline Tensor ones(const IntArray& shape, DataType dtype = DataType::FLOAT32, const Place& place = CPUPlace()) {
  return full(shape, 1, dtype, place);
}
inline Tensor zeros(const IntArray& shape, DataType dtype = DataType::FLOAT32, const Place& place = CPUPlace()) {
  return full(shape, 0, dtype, place);
}
// The data type and the place are those of x unless they are given.
inline Tensor empty_like(const Tensor& x, DataType dtype = DataType::UNDEFINED, const Place& place = Place()) {
  return empty(x.shape(), dtype == DataType::UNDEFINED ? x.dtype() : dtype, place == Place() ? x.place() : place);
}
inline Tensor ones_like(const Tensor& x, DataType dtype = DataType::UNDEFINED, const Place& place = Place()) {
  return full_like(x, 1, dtype, place);
}
inline Tensor zeros_like(const Tensor& x, DataType dtype = DataType::UNDEFINED, const Place& place = Place()) {
  return full_like(x, 0, dtype, place);
}

}  // namespace paddle::experimental

namespace paddle {
using namespace experimental;  // NOLINT
}
