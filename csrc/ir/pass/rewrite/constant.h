// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ir/core/operation.h"
#include "ir/shape/dim_expr.h"

namespace phi::ir {

// What an expression of a rewrite is where it is no tensor. A size is also every integer; one that a program does not
// tell is unknown, and so is all that is computed of it.
struct Constant {
  enum class Kind : uint8_t { Unknown, None, Bool, Size, Real, Text, List };
  Kind kind = Kind::Unknown;
  bool boolean = false;
  Dim size;
  double real = 0;
  std::string text;
  std::vector<Constant> items;

  static Constant Of(bool value);
  static Constant Of(Dim value);
  static Constant Of(double value);
  static Constant Of(std::string value);
  static Constant Of(const char* value) = delete;  // which would be a bool
  static Constant Of(std::vector<Constant> values);
  bool is_known() const { return kind != Kind::Unknown; }
  bool is_true() const { return kind == Kind::Bool && boolean; }
  bool is_number() const { return kind == Kind::Real || (kind == Kind::Size && size.is_number()); }
  double number() const { return kind == Kind::Real ? real : static_cast<double>(size.number()); }
};

Constant ConstantOf(Attribute attribute);
// What an operation is given for an attribute, itself or by an operand that is made of constants.
Constant ConstantOf(const Operation& op, const std::string& attribute);
// As an attribute of a declared kind. InvalidArgument where it is none.
Attribute AttributeOf(IrContext* context, const AttributeInfo& info, const Constant& value);

// Bool or Unknown: two sizes of which neither form nor number tells whether they are the same are Unknown.
Constant Equal(const Constant& a, const Constant& b);

}  // namespace phi::ir
