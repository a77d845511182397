// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "primitive/gather.h"
#include "primitive/loop/check_index.h"

namespace phi::primitive {

// Raises if one of the ids is no row of the table.
template <typename Id>
void CheckIds(const LookupTable& table, const Id* ids, int64_t count) {
  const int64_t lowest = table.lowest();
  Id low = 0;
  Id high = -1;
  for (int64_t i = 0; i < count; ++i) {
    low = std::min(low, ids[i]);
    high = std::max(high, ids[i]);
  }
  if (low >= lowest && high < table.rows) return;
  for (int64_t i = 0; i < count; ++i) {
    if (table.padding_idx >= 0 && ids[i] == table.padding_idx) continue;
    CheckIndex(table.ids_name, ids[i], lowest, table.rows);
  }
}

}  // namespace phi::primitive
