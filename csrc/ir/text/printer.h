// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ir/core/program.h"

namespace phi::ir {

// A program as text, which ParseProgram reads back. Attributes at their default are left out unless `full`.
std::string ToText(const Program& program, bool full = false);
// The value of a declared attribute, as it stands in the text.
std::string DeclaredText(Attribute value, const AttributeInfo& info);

}  // namespace phi::ir
