// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ir/core/operation.h"
#include "ir/shape/dim_expr.h"

namespace phi::ir {

// The numbers of a small integer tensor, where they follow from constants and from sizes: what `shape64`, `slice`,
// `stack` and the like make of each other. A number that only data tells is unknown; nothing where even their count is.
std::optional<std::vector<Dim>> ShapeValueOf(Value value);
// Those of an attribute of an operation, or of the operand in its place.
std::optional<std::vector<Dim>> ShapeArgumentOf(const Operation& op, const char* attribute);

}  // namespace phi::ir
