// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/cross_entropy.h"

namespace phi::funcs {

// Whether label i counts; IndexError for one that is neither a class nor ignore_index.
inline bool IsCounted(int64_t label, int64_t i, int64_t classes, int64_t ignore_index) {
  if (label == ignore_index) return false;
  PADDLE_ENFORCE(
      label >= 0 && label < classes,
      errors::OutOfRange("argument 'label': expected class indices in [0, %d) or ignore_index (%d), got %d at "
                         "position %d",
                         classes,
                         ignore_index,
                         label,
                         i));
  return true;
}

}  // namespace phi::funcs
