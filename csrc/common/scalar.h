// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "common/data_type.h"
#include "common/enforce.h"

namespace phi {

// A number of any type. Floats travel as double and integers as int64_t, so nothing is lost on the way.
class Scalar {
 public:
  Scalar() : Scalar(0) {}
  Scalar(bool v) : dtype_(DataType::BOOL), int_(v) {}                                       // NOLINT
  Scalar(int v) : dtype_(DataType::INT32), int_(v) {}                                       // NOLINT
  Scalar(int64_t v) : dtype_(DataType::INT64), int_(v) {}                                   // NOLINT
  Scalar(float v) : dtype_(DataType::FLOAT32), real_(v) {}                                  // NOLINT
  Scalar(double v) : dtype_(DataType::FLOAT64), real_(v) {}                                 // NOLINT
  Scalar(complex128 v) : dtype_(DataType::COMPLEX128), real_(v.real()), imag_(v.imag()) {}  // NOLINT

  DataType dtype() const { return dtype_; }

  template <typename T>
  T to() const {
    if (IsComplexType(dtype_)) {
      if constexpr (dtype::is_complex_v<T>) {
        using Real = typename dtype::RealTypeTrait<T>::Type;
        return T(static_cast<Real>(real_), static_cast<Real>(imag_));
      } else {
        PADDLE_ENFORCE(
            imag_ == 0,
            errors::InvalidArgument("a real number is expected, got the complex number (%f, %f)", real_, imag_));
        return static_cast<T>(real_);
      }
    }
    return IsFloatingType(dtype_) ? static_cast<T>(real_) : static_cast<T>(int_);
  }

  // Where T is an integer type, what it cannot hold is cut off at its limits.
  template <typename T>
  T clamped() const {
    if constexpr (std::is_integral_v<T>) {
      constexpr T kMin = std::numeric_limits<T>::min();
      constexpr T kMax = std::numeric_limits<T>::max();
      if (!IsFloatingType(dtype_)) return static_cast<T>(std::clamp<int64_t>(to<int64_t>(), kMin, kMax));
      if (real_ <= kMin) return kMin;
      if (real_ >= static_cast<double>(kMax)) return kMax;
    }
    return to<T>();
  }

 private:
  DataType dtype_;
  int64_t int_ = 0;
  double real_ = 0;
  double imag_ = 0;
};

}  // namespace phi

namespace paddle {
using phi::Scalar;
namespace experimental {
using phi::Scalar;
}
}  // namespace paddle
