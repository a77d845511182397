// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "ir/pass/images.h"
#include "ir/pass/passes.h"

namespace phi::ir {

PassCounts PackFilters(Program* program) {
  std::vector<Operation*> left;
  for (Operation* op : FindLargeConvolutions(*program).all) {
    if (!op->name().starts_with("machine.")) left.push_back(op);
  }
  if (left.empty()) return {};
  const auto count = static_cast<int64_t>(left.size());
  if (!HasPackedConvolution()) return {{"convolutions left alone, as nothing here packs their filters", count}};
  for (Operation* op : left) ReplaceConvolution(program, op, "machine.packed_conv2d");
  return {{"filters packed", count}};
}

}  // namespace phi::ir
