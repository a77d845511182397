// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"

// The data types of arguments and results.
namespace phi {

template <class Dim>
void CheckSameDataType(const char* x_name, const MetaTensor<Dim>& x, const char* y_name, const MetaTensor<Dim>& y) {
  PADDLE_ENFORCE(x.dtype() == y.dtype(),
                 errors::InvalidType("arguments '%s' and '%s' must have the same data type, got %s and %s",
                                     x_name,
                                     y_name,
                                     DataTypeName(x.dtype()),
                                     DataTypeName(y.dtype())));
}

template <class Dim>
void CheckIndexType(const char* argument, const MetaTensor<Dim>& index) {
  PADDLE_ENFORCE(
      index.dtype() == DataType::INT32 || index.dtype() == DataType::INT64,
      errors::InvalidType(
          "argument '%s': expected data type int32 or int64, got %s", argument, DataTypeName(index.dtype())));
}

// The type of statistics: float for half types.
inline DataType AccumulateType(DataType dtype) {
  return dtype == DataType::FLOAT16 || dtype == DataType::BFLOAT16 ? DataType::FLOAT32 : dtype;
}

// The complex type whose parts are of a real one; others as they are.
inline DataType ToComplex(DataType t) {
  return t == DataType::FLOAT32 ? DataType::COMPLEX64 : t == DataType::FLOAT64 ? DataType::COMPLEX128 : t;
}

inline void CheckComplex(DataType t, const char* argument) {
  PADDLE_ENFORCE(IsComplexType(t),
                 errors::InvalidType("argument '%s': expected complex numbers, got %s", argument, DataTypeName(t)));
}

}  // namespace phi
