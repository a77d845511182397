// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "ir/core/builder.h"
#include "ir/pass/images.h"
#include "ir/pass/passes.h"

namespace phi::ir {

PassCounts ChooseLayouts(Program* program) {
  if (!HasPackedConvolution()) return {};
  std::unordered_map<const Block*, std::unordered_map<Value, Value>> brought;
  int64_t count = 0;
  for (Operation* op : FindLargeConvolutions(*program).borders) {
    const Value images = op->operand(0);
    Value& last = brought[op->block()][images];
    if (!last) {
      const Value operands[] = {images};
      Operation* made = Builder(program, op->block(), op).Create("machine.channels_last", operands);
      made->set_location(op->location());
      last = made->result(0);
      ++count;
    }
    op->operands()[0].set(last);
  }
  if (count == 0) return {};
  return {{"images brought to channels last", count}};
}

}  // namespace phi::ir
