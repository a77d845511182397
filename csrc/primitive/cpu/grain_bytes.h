// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace phi::primitive::detail {

inline constexpr int64_t kGrainBytes = 1 << 16;  // of memory that is only moved: worth a thread

}  // namespace phi::primitive::detail
