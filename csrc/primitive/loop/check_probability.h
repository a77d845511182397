// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>

#include "common/enforce.h"
#include "common/hostdevice.h"

namespace phi::primitive {

// InvalidArgument on the CPU where `fits` is false; a GPU prints it and stops the kernel.
HOSTDEVICE inline void CheckProbability(const char* argument, const char* expected, bool fits, double value) {
  if (fits) return;
#ifdef __CUDA_ARCH__
  printf("argument '%s': expected %s, got %f\n", argument, expected, value);
  __trap();
#else
  PADDLE_THROW(errors::InvalidArgument("argument '%s': expected %s, got %f", argument, expected, value));
#endif
}

}  // namespace phi::primitive
