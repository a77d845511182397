// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "common/data_type.h"
#include "common/hostdevice.h"
#ifndef __CUDACC__
#include <ATen/cpu/vec/vec.h>
#endif

// Functions that a functor may call on an element or, on the CPU, on a SIMD vector of elements.
namespace phi::math {

// For float, double and complex numbers. std:: is valid in device code for the first two.
#define PHI_MATH_FUNCTION(Name, name) \
  template <typename T>               \
  HOSTDEVICE inline T Name(T x) {     \
    using std::name;                  \
    return name(x);                   \
  }
PHI_MATH_FUNCTION(Abs, abs)
PHI_MATH_FUNCTION(Ceil, ceil)
PHI_MATH_FUNCTION(Cos, cos)
PHI_MATH_FUNCTION(Erf, erf)
PHI_MATH_FUNCTION(Exp, exp)
PHI_MATH_FUNCTION(Expm1, expm1)
PHI_MATH_FUNCTION(Floor, floor)
PHI_MATH_FUNCTION(Log, log)
PHI_MATH_FUNCTION(Log1p, log1p)
PHI_MATH_FUNCTION(Sin, sin)
PHI_MATH_FUNCTION(Sqrt, sqrt)
PHI_MATH_FUNCTION(Tanh, tanh)
#undef PHI_MATH_FUNCTION

// a where `condition`, else b
template <typename T>
HOSTDEVICE inline T Select(bool condition, T a, T b) {
  return condition ? a : b;
}

#ifndef __CUDACC__
#define PHI_MATH_VECTOR_FUNCTION(Name, name)                            \
  template <typename T>                                                 \
  inline at::vec::Vectorized<T> Name(const at::vec::Vectorized<T>& x) { \
    return x.name();                                                    \
  }
PHI_MATH_VECTOR_FUNCTION(Abs, abs)
PHI_MATH_VECTOR_FUNCTION(Ceil, ceil)
PHI_MATH_VECTOR_FUNCTION(Cos, cos)
PHI_MATH_VECTOR_FUNCTION(Erf, erf)
PHI_MATH_VECTOR_FUNCTION(Exp, exp)
PHI_MATH_VECTOR_FUNCTION(Expm1, expm1)
PHI_MATH_VECTOR_FUNCTION(Floor, floor)
PHI_MATH_VECTOR_FUNCTION(Log, log)
PHI_MATH_VECTOR_FUNCTION(Log1p, log1p)
PHI_MATH_VECTOR_FUNCTION(Sin, sin)
PHI_MATH_VECTOR_FUNCTION(Sqrt, sqrt)
PHI_MATH_VECTOR_FUNCTION(Tanh, tanh)
#undef PHI_MATH_VECTOR_FUNCTION

// `mask` is the result of a comparison of vectors
template <typename T>
inline at::vec::Vectorized<T> Select(const at::vec::Vectorized<T>& mask,
                                     const at::vec::Vectorized<T>& a,
                                     const at::vec::Vectorized<T>& b) {
  return at::vec::Vectorized<T>::blendv(b, a, mask);
}
#endif

}  // namespace phi::math
