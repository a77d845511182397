// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/data_type.h"
#include "common/enforce.h"

namespace phi {

// The complex type whose parts are of a real one; others as they are.
inline DataType ToComplex(DataType t) {
  return t == DataType::FLOAT32 ? DataType::COMPLEX64 : t == DataType::FLOAT64 ? DataType::COMPLEX128 : t;
}

inline void CheckComplex(DataType t, const char* argument) {
  PADDLE_ENFORCE(IsComplexType(t),
                 errors::InvalidType("argument '%s': expected complex numbers, got %s", argument, DataTypeName(t)));
}

}  // namespace phi
