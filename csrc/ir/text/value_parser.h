// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "ir/core/op_info.h"
#include "ir/text/type_parser.h"

namespace phi::ir {

// Reads types and attributes.
class ValueParser : public TypeParser {
 public:
  using TypeParser::TypeParser;
  Attribute ReadAttribute();  // with its type in the text; null: none
  Attribute ReadDeclared(const AttributeInfo& info);
  std::vector<NamedAttribute> ReadEntries(OpInfo op);  // {name = value, ...}; the op may be null

 private:
  Attribute ReadPlain(AttributeKind kind);
  Attribute ReadScalar();
  Attribute ReadNumber();
  Attribute ReadNamedAttribute(const Token& name);
  Attribute ReadArray();
};

}  // namespace phi::ir
