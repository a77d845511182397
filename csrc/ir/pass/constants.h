// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/core/operation.h"

namespace phi::ir {

// What an operation is given for one of its attributes, which may come as an operand that an operation makes of
// constants (`mutable_attributes` in the YAML). Nothing where it is no constant, or none of that kind.
std::optional<std::vector<int64_t>> ConstantInts(const Operation& op, const char* attribute);
std::optional<double> ConstantNumber(const Operation& op, std::string_view attribute);
std::optional<bool> ConstantBool(const Operation& op, std::string_view attribute);

}  // namespace phi::ir
