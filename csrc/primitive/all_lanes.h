// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

// Whether a comparison holds in all lanes of a vector: a short way past a function that few elements need.
namespace phi::math {

HOSTDEVICE inline bool All(bool condition) { return condition; }

#ifndef PHI_DEVICE_CODE
template <typename T>
inline bool All(const at::vec::Vectorized<T>& mask) {
  return mask.zero_mask() == 0;
}
#endif

}  // namespace phi::math
