// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace phi {

// A size that InferMeta leaves to the kernel, which finds it in its data.
inline constexpr int64_t kDecidedByValues = -1;

}  // namespace phi
