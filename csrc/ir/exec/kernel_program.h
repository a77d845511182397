// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ir/exec/schedule.h"

namespace phi::ir {

// What a schedule runs, as a program of the dialect pd_kernel: a call for each kernel with its arguments and its key, a
// transfer for each copy or cast, an alias for each part of another tensor's memory. The attribute `memory` of an
// operation says where its results lie: "arena+64", "output", "input", "weight", "dynamic". To be printed and looked
// at.
std::unique_ptr<Program> KernelProgram(const Lowered& lowered, const Schedule& schedule);

}  // namespace phi::ir
