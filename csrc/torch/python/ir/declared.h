// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "ir/core/op_info.h"

namespace phi::python {

// ValueError, with the names that are near, for an operator that no dialect has.
void CheckDeclared(const ir::OpInfo& info);
// The same for an attribute that the operator does not declare, and that is none of those that any operator may have.
void CheckDeclared(const ir::OpInfo& info, const std::string& attribute);

}  // namespace phi::python
