// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/core/builtin_attribute.h"
#include "ir/core/op_info.h"
#include "ir/text/lexer.h"

namespace phi::ir {

// Reads types, attributes and dimensions. What is wrong is a SyntaxError.
class ValueParser {
 public:
  ValueParser(IrContext* context, std::string_view text) : lexer_(text), context_(context) {}

  Type ReadType();            // null: none
  Attribute ReadAttribute();  // with its type in the text; null: none
  Attribute ReadDeclared(const AttributeInfo& info);
  std::vector<NamedAttribute> ReadEntries(OpInfo op);  // {name = value, ...}; the op may be null
  Dim ReadDim();
  void ExpectEnd();

 protected:
  [[noreturn]] static void Fail(const Token& at, const std::string& expected);
  Token Expect(char sign);
  Token ExpectWord(std::string_view word);
  bool Accept(char sign);
  bool AcceptWord(std::string_view word);
  std::string ReadString();
  int64_t ReadInteger();

  Lexer lexer_;
  IrContext* const context_;

 private:
  class Nested;
  Type ReadTensor(DataType dtype, TensorKind kind, bool value_semantics);
  Type ReadNamedType(const Token& name, bool value_semantics);
  Dim ReadSum();
  Dim ReadProduct();
  Dim ReadFactor();
  DataType ReadShortName();
  std::string ReadRealText();
  template <typename T>
  T ReadReal();
  ComplexParts ReadComplex();
  std::vector<int64_t> ReadIntegers();
  Attribute ReadPlain(AttributeKind kind);
  Attribute ReadScalar();
  Attribute ReadNumber();
  Attribute ReadNamedAttribute(const Token& name);
  Attribute ReadArray();

  int depth_ = 0;
};

}  // namespace phi::ir
