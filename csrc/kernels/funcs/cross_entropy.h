// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "common/hostdevice.h"
#include "core/dense_tensor.h"

namespace phi {

// The class indices of hard labels: int32 or int64.
class HardLabels {
 public:
  explicit HardLabels(const DenseTensor& label)
      : wide_(label.dtype() == DataType::INT64 ? label.data<int64_t>() : nullptr),
        narrow_(wide_ ? nullptr : label.data<int32_t>()) {}
  HOSTDEVICE int64_t operator[](int64_t i) const { return wide_ ? wide_[i] : narrow_[i]; }

 private:
  const int64_t* wide_;
  const int32_t* narrow_;
};

// -log(p) of a probability, within PHI's bounds: 1e20 for 0.
template <typename MT>
HOSTDEVICE inline MT TolerableNegativeLog(MT p) {
  const MT loss = -std::log(p);
  const MT limit = static_cast<MT>(1e20);
  return loss > limit ? limit : (loss < -limit ? -limit : loss);
}

}  // namespace phi
