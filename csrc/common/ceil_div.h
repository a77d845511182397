// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace phi {

// How many parts of a size, the last of which may be smaller, `n` is.
constexpr int64_t CeilDiv(int64_t n, int64_t size) { return (n + size - 1) / size; }

// The next multiple of `step` from `n` on.
constexpr int64_t RoundUp(int64_t n, int64_t step) { return CeilDiv(n, step) * step; }

}  // namespace phi
