// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "common/scalar.h"

namespace phi {

// An attribute that names a block of the program, or a variable that holds its value.
struct BlockIndex {
  int32_t index;
  bool operator==(const BlockIndex&) const = default;
};
struct VariableName {
  std::string name;
  bool operator==(const VariableName&) const = default;
};

// The value of an attribute of a program's operator; the alternatives stand in the order of the numbers that programs
// write for their types (AttrType: INT is 0).
using OpAttribute = std::variant<int32_t,
                                 float,
                                 std::string,
                                 std::vector<int32_t>,
                                 std::vector<float>,
                                 std::vector<std::string>,
                                 bool,
                                 std::vector<bool>,
                                 BlockIndex,
                                 int64_t,
                                 std::vector<BlockIndex>,
                                 std::vector<int64_t>,
                                 std::vector<double>,
                                 VariableName,
                                 std::vector<VariableName>,
                                 double,
                                 Scalar,
                                 std::vector<Scalar>>;

using OpAttributeMap = std::map<std::string, OpAttribute, std::less<>>;

}  // namespace phi
