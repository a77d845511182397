// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace phi::torch_bridge {

namespace detail {
[[noreturn]] void ThrowEmptyList(const char* argument);
}

// A list whose first tensor decides on the kernel.
inline void CheckNotEmpty(at::TensorList tensors, const char* argument) {
  if (__builtin_expect(tensors.empty(), 0)) detail::ThrowEmptyList(argument);
}

}  // namespace phi::torch_bridge
