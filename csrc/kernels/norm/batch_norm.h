// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace phi {

// Whether x is normalized with the running statistics.
inline bool UsesGlobalStats(bool is_test, bool use_global_stats, bool trainable_statistics) {
  return use_global_stats || (is_test && !trainable_statistics);
}

}  // namespace phi
