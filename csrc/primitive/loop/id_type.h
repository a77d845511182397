// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi::primitive {

// Calls use(const int32_t*) or use(const int64_t*) with the ids of x.
template <typename Use>
void WithIds(const DenseTensor& x, const Use& use) {
  if (x.dtype() == DataType::INT32) {
    use(x.data<int32_t>());
  } else {
    use(x.data<int64_t>());
  }
}

}  // namespace phi::primitive
