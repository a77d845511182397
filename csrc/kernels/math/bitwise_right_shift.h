// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/bit_shift.h"

namespace phi {

struct BitwiseRightShiftFunctor {
  bool is_arithmetic;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return is_arithmetic ? funcs::ShiftRight(x, y) : funcs::ShiftRightLogical(x, y);
  }
};

}  // namespace phi
