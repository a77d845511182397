// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

namespace phi {

// A source of random state. Kernels run counter-based Philox on (seed, offset), so that the numbers do not depend
// on the number of threads.
class Generator {
 public:
  virtual ~Generator() = default;
  // Reserves `increment` Philox counters; returns {seed, offset of the first}.
  virtual std::pair<uint64_t, uint64_t> IncrementOffset(uint64_t increment) = 0;
};

}  // namespace phi
