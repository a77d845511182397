// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/pass/pass.h"

// The functions of the table in pass.cc, each in a file of its name in passes/.
namespace phi::ir {

PassCounts ApplyFusions(Program* program);
PassCounts Canonicalize(Program* program);
PassCounts ChooseLayouts(Program* program);
PassCounts ComputeByWinograd(Program* program);
PassCounts EliminateCommonSubexpressions(Program* program);
PassCounts EliminateDeadCode(Program* program);
PassCounts FoldConstants(Program* program);
PassCounts Functionalize(Program* program);
PassCounts FuseElementwise(Program* program);
PassCounts MaximizeValueSemantics(Program* program);
PassCounts MergeParallelProducts(Program* program);
PassCounts PackFilters(Program* program);

}  // namespace phi::ir
