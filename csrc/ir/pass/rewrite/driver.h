// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ir/pass/pass.h"
#include "ir/pass/rewrite/rewrite.h"

namespace phi::ir {

// Rewrites a program as long as anything matches: of the rewrites at an operation the largest first. The counts are how
// often each was done. PreconditionNotMet, with their names, where rewrites chase each other: after ten of them on what
// was one operation; the program is valid then.
PassCounts ApplyRewrites(Program* program, std::span<const Rewrite* const> rewrites);

}  // namespace phi::ir
