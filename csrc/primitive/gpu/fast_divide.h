// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/hostdevice.h"

namespace phi::primitive {

// Division of n < 2^31 by a fixed divisor in [1, 2^31), as a multiplication and a shift.
struct FastDivide {
  uint32_t divisor = 1;
  uint32_t multiplier = 1;
  uint32_t shift = 0;

  FastDivide() = default;
  // The least `shift` with 2^shift >= divisor makes multiplier = floor(2^32 (2^shift - divisor) / divisor) + 1 exact.
  explicit FastDivide(uint32_t d) : divisor(d) {
    while ((uint64_t{1} << shift) < d) ++shift;
    multiplier = static_cast<uint32_t>((((uint64_t{1} << shift) - d) << 32) / d + 1);
  }

  HOSTDEVICE uint32_t Divide(uint32_t n) const {
#ifdef __CUDA_ARCH__
    const uint32_t high = __umulhi(n, multiplier);
#else
    const uint32_t high = static_cast<uint32_t>((static_cast<uint64_t>(n) * multiplier) >> 32);
#endif
    return (high + n) >> shift;
  }
};

// The same for any numbers, by the division of the machine.
struct WideDivide {
  int64_t divisor;
  HOSTDEVICE int64_t Divide(int64_t n) const { return n / divisor; }
};

// Calls use(divide), which divides numbers below `limit` by `divisor`, in [1, limit].
template <typename Use>
void WithDivide(int64_t limit, int64_t divisor, const Use& use) {
  if (limit < int64_t{1} << 31) {
    use(FastDivide(static_cast<uint32_t>(divisor)));
  } else {
    use(WideDivide{divisor});
  }
}

}  // namespace phi::primitive
