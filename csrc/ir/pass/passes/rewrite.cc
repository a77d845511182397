// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "ir/pass/passes.h"
#include "ir/pass/rewrite/driver.h"

namespace phi::ir {

PassCounts ApplyFusions(Program* program) {
  std::vector<const Rewrite*> all;
  for (const Rewrite& rewrite : Rewrites()) all.push_back(&rewrite);
  return ApplyRewrites(program, all);
}

}  // namespace phi::ir
