// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/all_context.h"
#include "primitive/for_each.h"

namespace phi::funcs {

// ForRange<Context> for_range(dev_ctx, n); for_range(f) calls f(i) for i in [0, n): in this order on the CPU, as Paddle
// does, and in any order on a GPU. primitive::ForEach uses all cores of the CPU too.
template <typename Context>
class ForRange {
 public:
  ForRange(const Context& dev_ctx, size_t limit) : dev_ctx_(dev_ctx), limit_(static_cast<int64_t>(limit)) {}

  template <typename Function>
  void operator()(Function f) const {
    if constexpr (std::is_base_of_v<CPUContext, Context>) {
      for (int64_t i = 0; i < limit_; ++i) f(i);
    } else {
      primitive::ForEach(dev_ctx_, limit_, f);
    }
  }

 private:
  const Context& dev_ctx_;
  int64_t limit_;
};

}  // namespace phi::funcs
