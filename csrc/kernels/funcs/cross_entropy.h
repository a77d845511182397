// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdio>

#include "common/enforce.h"
#include "common/hostdevice.h"
#include "core/dense_tensor.h"

namespace phi {

// The class indices of hard labels, int8 to int64, or uint8.
class HardLabels {
 public:
  explicit HardLabels(const DenseTensor& label) : data_(label.data()), dtype_(label.dtype()) {}
  HOSTDEVICE int64_t operator[](int64_t i) const {
    switch (dtype_) {
      case DataType::INT64:
        return At<int64_t>(i);
      case DataType::INT32:
        return At<int32_t>(i);
      case DataType::INT16:
        return At<int16_t>(i);
      case DataType::INT8:
        return At<int8_t>(i);
      default:
        return At<uint8_t>(i);
    }
  }

 private:
  template <typename T>
  HOSTDEVICE int64_t At(int64_t i) const {
    return static_cast<const T*>(data_)[i];
  }

  const void* data_;
  DataType dtype_;
};

// Whether label i counts. One that is neither a class nor ignore_index: IndexError on the CPU; a GPU prints it and
// stops the kernel.
HOSTDEVICE inline bool IsCounted(int64_t label, int64_t i, int64_t classes, int64_t ignore_index) {
  if (label == ignore_index) return false;
  if (label >= 0 && label < classes) return true;
#ifdef __CUDA_ARCH__
  printf("argument 'label': expected class indices in [0, %lld) or ignore_index (%lld), got %lld at position %lld\n",
         static_cast<long long>(classes),
         static_cast<long long>(ignore_index),
         static_cast<long long>(label),
         static_cast<long long>(i));
  __trap();
  return false;
#else
  PADDLE_THROW(
      errors::OutOfRange("argument 'label': expected class indices in [0, %d) or ignore_index (%d), got %d at "
                         "position %d",
                         classes,
                         ignore_index,
                         label,
                         i));
#endif
}

// -log(p) of a probability, within PHI's bounds: 1e20 for 0.
template <typename MT>
HOSTDEVICE inline MT TolerableNegativeLog(MT p) {
  const MT loss = -std::log(p);
  const MT limit = static_cast<MT>(1e20);
  return loss > limit ? limit : (loss < -limit ? -limit : loss);
}

}  // namespace phi
