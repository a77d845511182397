// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>

#include "common/enforce.h"
#include "common/hostdevice.h"

namespace phi::primitive {

// Of an element of `argument`: OutOfRange on the CPU unless it is in [low, high); a GPU prints it and stops the kernel.
HOSTDEVICE inline void CheckIndex(const char* argument, int64_t index, int64_t low, int64_t high) {
  if (index >= low && index < high) return;
#ifdef __CUDA_ARCH__
  printf("argument '%s': expected indices in [%lld, %lld), got %lld\n",
         argument,
         static_cast<long long>(low),
         static_cast<long long>(high),
         static_cast<long long>(index));
  __trap();
#else
  PADDLE_THROW(errors::OutOfRange("argument '%s': expected indices in [%d, %d), got %d", argument, low, high, index));
#endif
}

}  // namespace phi::primitive
