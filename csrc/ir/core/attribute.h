// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "ir/core/uniqued.h"

namespace phi::ir {

// The classes of attributes of the dialect builtin; Any is one of a user's own, and stands for all in a declaration.
enum class AttributeKind : uint8_t {
  Bool,
  Int32,
  Int64,
  Float,
  Double,
  Complex64,
  Complex128,
  Str,
  Array,
  Dictionary,
  Type,
  DataType,
  Place,
  DataLayout,
  Scalar,
  IntArray,
  Tensor,
  KernelKey,
  Opaque,
  Any,
};

// "i32", "array", ...
const char* AttributeKindName(AttributeKind kind);

class Attribute : public Uniqued {
 public:
  using Uniqued::Uniqued;
  using Uniqued::operator==;
  AttributeKind kind() const;
  std::string ToString() const;  // as text that names its type; "none" for the null attribute
};

inline std::ostream& operator<<(std::ostream& os, Attribute attribute) { return os << attribute.ToString(); }

using NamedAttribute = std::pair<std::string, Attribute>;

}  // namespace phi::ir
