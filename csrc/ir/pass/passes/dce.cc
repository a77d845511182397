// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "ir/pass/effects.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

bool IsUsed(const Operation& op) {
  for (size_t i = 0; i < op.num_results(); ++i) {
    if (op.result(i).has_uses()) return true;
  }
  return false;
}

// From the end, so that what an erased operation used is asked after it.
int64_t EraseUnused(const Block& block) {
  int64_t erased = 0;
  for (Operation* op = block.back(); op != nullptr;) {
    Operation* const previous = op->previous();
    if (!op->info().HasTrait(Trait::Terminator) && !IsUsed(*op) && HasNoEffect(*op)) {
      op->Erase();
      ++erased;
    } else {
      for (const Region& region : op->regions()) {
        for (const auto& inner : region.blocks()) erased += EraseUnused(*inner);
      }
    }
    op = previous;
  }
  return erased;
}

}  // namespace

PassCounts EliminateDeadCode(Program* program) {
  const int64_t erased = EraseUnused(*program->block());
  return erased == 0 ? PassCounts() : PassCounts{{"operations erased", erased}};
}

}  // namespace phi::ir
