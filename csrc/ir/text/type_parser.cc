// SPDX-License-Identifier: Apache-2.0
#include "ir/text/type_parser.h"

#include <charconv>

#include "ir/core/dialect.h"
#include "ir/core/parse_value.h"

namespace phi::ir {

namespace {

bool FindDataType(std::string_view name, DataType* found) {
  for (int i = 0; i < static_cast<int>(DataType::NUM_DATA_TYPES); ++i) {
    if (name != ShortName(static_cast<DataType>(i))) continue;
    *found = static_cast<DataType>(i);
    return true;
  }
  return false;
}

}  // namespace

DataType TypeParser::ReadShortName() {
  const Token token = lexer_.Next();
  DataType dtype = DataType::UNDEFINED;
  if (token.kind != Token::Kind::Word || !FindDataType(token.text, &dtype)) Fail(token, "a data type such as f32");
  return dtype;
}

Type TypeParser::ReadType() {
  const Nested nested(this);
  if (AcceptWord("none")) return Type();
  const bool value_semantics = !Accept('!');
  const Token name = lexer_.Next();
  if (name.kind != Token::Kind::Word) Fail(name, "a type such as f32[2,3]");
  DataType dtype = DataType::UNDEFINED;
  if (FindDataType(name.text, &dtype)) {
    if (lexer_.Peek().Is('[')) return ReadTensor(dtype, TensorKind::Dense, value_semantics);
    if (!value_semantics) Fail(lexer_.Peek(), "'[' of a tensor's sizes");
    return ScalarType::get(context_, {dtype});
  }
  return ReadNamedType(name, value_semantics);
}

Type TypeParser::ReadTensor(DataType dtype, TensorKind kind, bool value_semantics) {
  TensorTypeKey key{kind, dtype, {}, DataLayout::NCHW, value_semantics};
  const Token open = Expect('[');
  if (!Accept(']')) {
    do key.dims.push_back(ReadDim());
    while (Accept(','));
    Expect(']');
  }
  if (Accept('@')) {
    const Token layout = lexer_.Next();
    key.layout = At(layout, [&] { return ParseLayout(layout.text); });
  }
  return At(open, [&] { return TensorType::get(context_, std::move(key)); });
}

Type TypeParser::ReadNamedType(const Token& name, bool value_semantics) {
  for (const TensorKind kind : {TensorKind::DenseArray,
                                TensorKind::SelectedRows,
                                TensorKind::SparseCoo,
                                TensorKind::SparseCsr,
                                TensorKind::String}) {
    if (name.text != TensorKindName(kind)) continue;
    Expect('<');
    const DataType dtype = ReadShortName();
    const Type type = ReadTensor(dtype, kind, value_semantics);
    Expect('>');
    return type;
  }
  if (!value_semantics) Fail(name, "a kind of tensor after '!'");
  if (name.text == "vec") {
    VectorTypeKey key;
    Expect('<');
    if (!Accept('>')) {
      do key.elements.push_back(ReadType());
      while (Accept(','));
      Expect('>');
    }
    return At(name, [&] { return VectorType::get(context_, std::move(key)); });
  }
  if (name.text == "opaque") {
    OpaqueKey key;
    Expect('<');
    key.name = ReadString();
    Expect(',');
    key.data = ReadString();
    Expect('>');
    return OpaqueType::get(context_, std::move(key));
  }
  const size_t dot = name.text.find('.');
  const Dialect* dialect = DialectRegistry::Instance().Find(name.text.substr(0, dot));
  const auto* form = dot == std::string::npos || dialect == nullptr ? nullptr : dialect->FindType(name.text);
  if (form == nullptr) Fail(name, "a type such as f32[2,3] or vec<f32[2,3]>");
  Expect('<');
  const std::string text = lexer_.RawUntilClosed();
  return At(name, [&] { return form->parse(context_, text); });
}

Dim TypeParser::ReadDim() { return Accept('?') ? Dim() : ReadSum(); }

Dim TypeParser::ReadSum() {
  const Nested nested(this);
  const Token first = lexer_.Peek();
  Dim sum = Accept('-') ? At(first, [&] { return Dim::Multiply(context_, Dim(-1), ReadProduct()); }) : ReadProduct();
  for (;;) {
    const Token sign = lexer_.Peek();
    if (!Accept('+') && !Accept('-')) return sum;
    const Dim term = ReadProduct();
    sum = At(sign, [&] { return Dim::Add(context_, sum, Dim::Multiply(context_, Dim(sign.Is('-') ? -1 : 1), term)); });
  }
}

Dim TypeParser::ReadProduct() {
  Dim product = ReadFactor();
  for (;;) {
    const Token sign = lexer_.Peek();
    if (!Accept('*')) return product;
    const Dim factor = ReadFactor();
    product = At(sign, [&] { return Dim::Multiply(context_, product, factor); });
  }
}

Dim TypeParser::ReadFactor() {
  const Token token = lexer_.Peek();
  if (token.kind == Token::Kind::Number) return Dim(ReadInteger());
  lexer_.Next();
  if (token.Is('(')) {
    const Dim sum = ReadSum();
    Expect(')');
    return sum;
  }
  if (token.kind == Token::Kind::Word && token.text[0] == 's' && token.text.size() > 1) {
    int64_t index = 0;
    const char* last = token.text.data() + token.text.size();
    const auto [end, error] = std::from_chars(token.text.data() + 1, last, index);
    if (error == std::errc() && end == last) return Dim::Symbol(context_, index);
  }
  for (const DimFunction function : {DimFunction::FloorDiv, DimFunction::Mod, DimFunction::Max, DimFunction::Min}) {
    if (!token.IsWord(DimFunctionName(function))) continue;
    Expect('(');
    const Dim a = ReadSum();
    Expect(',');
    const Dim b = ReadSum();
    Expect(')');
    return At(token, [&] { return Dim::Function(context_, function, a, b); });
  }
  Fail(token, "a size: a number, ?, or an expression of symbols such as 2*s0+1");
}

}  // namespace phi::ir
