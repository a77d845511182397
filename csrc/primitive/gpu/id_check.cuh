// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "primitive/gather.h"
#include "primitive/loop/check_index.h"

namespace phi::primitive {

// The ids of a LookupTable, for device code, which does not read the host's text.
class IdCheck {
 public:
  explicit IdCheck(const LookupTable& table)
      : lowest_(table.lowest()), rows_(table.rows), padding_idx_(table.padding_idx) {
    std::strncpy(name_, table.ids_name, sizeof(name_) - 1);
  }

  // Whether the row of an id counts as zero. Another id that is no row stops the kernel.
  HOSTDEVICE bool IsPadding(int64_t id) const {
    if (id == padding_idx_ && padding_idx_ >= 0) return true;
    CheckIndex(name_, id, lowest_, rows_);
    return false;
  }

 private:
  char name_[16] = {};
  int64_t lowest_;
  int64_t rows_;
  int64_t padding_idx_;
};

}  // namespace phi::primitive
