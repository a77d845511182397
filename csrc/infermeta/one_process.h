// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/enforce.h"

namespace phi {

// Of operators whose classes Paddle may spread over processes.
inline void CheckOneProcess(int64_t rank, int64_t nranks) {
  PADDLE_ENFORCE(
      nranks == 1 && rank == 0,
      errors::Unimplemented(
          "arguments 'rank' and 'nranks': expected all classes in one process, 0 of 1, got %d of %d", rank, nranks));
}

}  // namespace phi
