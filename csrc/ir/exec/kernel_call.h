// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ir/exec/schedule.h"

// What a scheduled call of a kernel says of itself, to be read.
namespace phi::ir {

// What the operator calls an argument of the kernel, "argument0" where it does not.
std::string ArgumentName(const Step& step, size_t i);
// The arguments that are known with the schedule, and are not what the operator has by default.
std::vector<NamedAttribute> KnownArguments(IrContext* context, const Action& action);
// Where a tensor lies: "arena+64", "output", "input", "weight", "constant", "dynamic"; "none" for one that is not made.
std::string PlaceOf(const Schedule& schedule, int slot);

}  // namespace phi::ir
