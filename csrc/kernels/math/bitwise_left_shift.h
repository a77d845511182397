// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/bit_shift.h"

namespace phi {

struct BitwiseLeftShiftFunctor {
  bool is_arithmetic;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return funcs::ShiftLeft(x, y);
  }
};

}  // namespace phi
