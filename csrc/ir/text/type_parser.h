// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ir/text/token_reader.h"

namespace phi::ir {

// Reads types and their sizes.
class TypeParser : public TokenReader {
 public:
  TypeParser(IrContext* context, std::string_view text) : TokenReader(context, text) {}
  Type ReadType();  // null: none
  Dim ReadDim();

 protected:
  DataType ReadShortName();  // "f32"

 private:
  Type ReadTensor(DataType dtype, TensorKind kind, bool value_semantics);
  Type ReadNamedType(const Token& name, bool value_semantics);
  Dim ReadSum();
  Dim ReadProduct();
  Dim ReadFactor();
};

}  // namespace phi::ir
