// SPDX-License-Identifier: Apache-2.0
#include "ir/text/value_parser.h"

#include <set>

#include "ir/core/dialect.h"
#include "ir/core/parse_value.h"
#include "ir/text/base64.h"

namespace phi::ir {

Attribute ValueParser::ReadScalar() {
  const Token token = lexer_.Peek();
  const bool is_bool = token.IsWord("true") || token.IsWord("false");
  if (is_bool) {
    lexer_.Next();
    return ScalarAttribute::Integer(context_, DataType::BOOL, token.text == "true");
  }
  if (token.Is('(')) {
    const ComplexParts parts = ReadComplex();
    const DataType dtype = Accept(':') ? ReadShortName() : DataType::COMPLEX128;
    return At(token, [&] { return ScalarAttribute::Real(context_, dtype, parts.real, parts.imag); });
  }
  const Token number = token.Is('-') ? lexer_.PeekSecond() : token;
  const bool integer = number.kind == Token::Kind::Number && number.text.find_first_of(".eE") == std::string::npos;
  const int64_t whole = integer ? ReadInteger() : 0;
  const std::string text = integer ? "" : ReadRealText();
  DataType dtype = integer ? DataType::INT64 : DataType::FLOAT64;
  if (Accept(':')) dtype = ReadShortName();
  return At(token, [&]() -> Attribute {
    if (integer) return ScalarAttribute::Integer(context_, dtype, whole);
    return ScalarAttribute::Real(context_, dtype, RealOf(text, dtype, token.place));
  });
}

Attribute ValueParser::ReadPlain(AttributeKind kind) {
  const Token token = lexer_.Peek();
  switch (kind) {
    case AttributeKind::Bool:
      if (!AcceptWord("true") && !AcceptWord("false")) Fail(token, "true or false");
      return BoolAttribute::get(context_, token.text == "true");
    case AttributeKind::Int32: {
      const int64_t value = ReadInteger();
      if (value != static_cast<int32_t>(value)) throw SyntaxError(token.place, "the number has more than 32 bits");
      return Int32Attribute::get(context_, static_cast<int32_t>(value));
    }
    case AttributeKind::Int64:
      return Int64Attribute::get(context_, ReadInteger());
    case AttributeKind::Float:
      return FloatAttribute::get(context_, ReadReal<float>());
    case AttributeKind::Double:
      return DoubleAttribute::get(context_, ReadReal<double>());
    case AttributeKind::Complex64: {
      const ComplexParts parts = ReadComplex();
      return Complex64Attribute::get(context_, parts.real, parts.imag);
    }
    case AttributeKind::Complex128: {
      const ComplexParts parts = ReadComplex();
      return Complex128Attribute::get(context_, parts.real, parts.imag);
    }
    case AttributeKind::Str:
      return StrAttribute::get(context_, ReadString());
    case AttributeKind::IntArray:
      return IntArrayAttribute::get(context_, {ReadIntegers()});
    case AttributeKind::Scalar:
      return ReadScalar();
    case AttributeKind::Type: {
      const Type type = ReadType();
      if (!type) Fail(token, "a type");
      return TypeAttribute::get(context_, {type});
    }
    default:
      break;
  }
  lexer_.Next();
  if (token.kind != Token::Kind::Word) Fail(token, "a name");
  return At(token, [&]() -> Attribute {
    if (kind == AttributeKind::DataType) return DataTypeAttribute::get(context_, ParseDataType(token.text));
    if (kind == AttributeKind::DataLayout) return DataLayoutAttribute::get(context_, ParseLayout(token.text));
    std::string place = token.text;
    if (Accept(':')) place += ":" + std::to_string(ReadInteger());
    return PlaceAttribute::get(context_, ParsePlace(place));
  });
}

Attribute ValueParser::ReadDeclared(const AttributeInfo& info) {
  if (AcceptWord("none")) return Attribute();
  if (Accept('#') || info.kind == AttributeKind::Any) return ReadAttribute();
  const Token first = lexer_.Peek();
  if (info.kind == AttributeKind::Array) {
    ArrayKey key;
    Expect('[');
    if (!Accept(']')) {
      do key.items.push_back(ReadPlain(info.element));
      while (Accept(','));
      Expect(']');
    }
    return At(first, [&] { return ArrayAttribute::get(context_, std::move(key)); });
  }
  return info.kind < AttributeKind::Tensor && info.kind != AttributeKind::Dictionary ? ReadPlain(info.kind)
                                                                                     : ReadAttribute();
}

Attribute ValueParser::ReadArray() {
  const Token open = Expect('[');
  ArrayKey key;
  if (!Accept(']')) {
    do key.items.push_back(ReadAttribute());
    while (Accept(','));
    Expect(']');
  }
  return At(open, [&] { return ArrayAttribute::get(context_, std::move(key)); });
}

Attribute ValueParser::ReadNumber() {
  const Token first = lexer_.Peek();
  const bool is_complex = first.Is('(');
  const Token number = first.Is('-') ? lexer_.PeekSecond() : first;
  const bool integer = number.kind == Token::Kind::Number && number.text.find_first_of(".eE") == std::string::npos;
  const ComplexParts parts = is_complex ? ReadComplex() : ComplexParts();
  const int64_t whole = integer ? ReadInteger() : 0;
  const std::string text = integer ? std::to_string(whole) : is_complex ? "" : ReadRealText();
  Expect(':');
  const Token type = lexer_.Next();
  if (is_complex && type.IsWord("c64")) return Complex64Attribute::get(context_, parts.real, parts.imag);
  if (is_complex && type.IsWord("c128")) return Complex128Attribute::get(context_, parts.real, parts.imag);
  if (!is_complex && type.IsWord("f32")) return FloatAttribute::get(context_, RealOf<float>(text, first.place));
  if (!is_complex && type.IsWord("f64")) return DoubleAttribute::get(context_, RealOf<double>(text, first.place));
  if (integer && type.IsWord("i64")) return Int64Attribute::get(context_, whole);
  if (integer && type.IsWord("i32")) {
    if (whole != static_cast<int32_t>(whole)) throw SyntaxError(first.place, "the number has more than 32 bits");
    return Int32Attribute::get(context_, static_cast<int32_t>(whole));
  }
  Fail(type, is_complex ? "c64 or c128" : integer ? "i32, i64, f32 or f64" : "f32 or f64");
}

Attribute ValueParser::ReadAttribute() {
  const Nested nested(this);
  const Token& first = lexer_.Peek();
  if (first.Is('[')) return ReadArray();
  if (first.kind == Token::Kind::String) return StrAttribute::get(context_, ReadString());
  if (first.IsWord("true") || first.IsWord("false")) return ReadPlain(AttributeKind::Bool);
  if (first.Is('{')) {
    const Token open = first;
    std::vector<NamedAttribute> entries = ReadEntries(OpInfo());
    return At(open, [&] { return DictionaryAttribute::get(context_, std::move(entries)); });
  }
  const bool is_number =
      first.kind == Token::Kind::Number || first.Is('-') || first.Is('(') || first.IsWord("inf") || first.IsWord("nan");
  if (is_number) return ReadNumber();
  if (first.kind != Token::Kind::Word) Fail(first, "an attribute such as 1 : i64, \"text\", or dtype<float32>");
  const Token name = lexer_.Next();
  return name.text == "none" ? Attribute() : ReadNamedAttribute(name);
}

Attribute ValueParser::ReadNamedAttribute(const Token& name) {
  const size_t dot = name.text.find('.');
  if (dot != std::string::npos) {
    const Dialect* dialect = DialectRegistry::Instance().Find(name.text.substr(0, dot));
    const auto* form = dialect == nullptr ? nullptr : dialect->FindAttribute(name.text);
    if (form == nullptr) Fail(name, "an attribute of a dialect that is loaded");
    Expect('<');
    const std::string text = lexer_.RawUntilClosed();
    return At(name, [&] { return form->parse(context_, text); });
  }
  const auto is = [&](AttributeKind kind) { return name.text == AttributeKindName(kind); };
  Attribute value;
  if (is(AttributeKind::Tensor)) {
    Expect('<');
    TensorKey key;
    key.dtype = ReadShortName();
    key.dims = ReadIntegers();
    Expect(',');
    const Token text = lexer_.Peek();
    const auto bytes = FromBase64(ReadString());
    if (!bytes) Fail(text, "the bytes of a constant in base64");
    key.bytes = *bytes;
    value = At(name, [&] { return TensorAttribute::get(context_, std::move(key)); });
  } else if (is(AttributeKind::KernelKey)) {
    Expect('<');
    const Token backend = lexer_.Next();
    Expect(',');
    const Token layout = lexer_.Next();
    Expect(',');
    const Token dtype = lexer_.Next();
    value = At(name, [&] {
      const KernelKey key(StringToBackend(backend.text), ParseLayout(layout.text), ParseDataType(dtype.text));
      return KernelKeyAttribute::get(context_, key);
    });
  } else if (is(AttributeKind::Opaque)) {
    Expect('<');
    OpaqueKey key;
    key.name = ReadString();
    Expect(',');
    key.data = ReadString();
    value = OpaqueAttribute::get(context_, std::move(key));
  } else {
    for (const AttributeKind kind : {AttributeKind::Type,
                                     AttributeKind::DataType,
                                     AttributeKind::Place,
                                     AttributeKind::DataLayout,
                                     AttributeKind::Scalar,
                                     AttributeKind::IntArray}) {
      if (!is(kind)) continue;
      Expect('<');
      value = ReadPlain(kind);
    }
  }
  if (!value) Fail(name, "an attribute such as 1 : i64, \"text\", or dtype<float32>");
  Expect('>');
  return value;
}

std::vector<NamedAttribute> ValueParser::ReadEntries(OpInfo op) {
  std::vector<NamedAttribute> entries;
  std::set<std::string> names;
  Expect('{');
  if (Accept('}')) return entries;
  do {
    const Token name = lexer_.Next();
    if (name.kind != Token::Kind::Word && name.kind != Token::Kind::String) Fail(name, "the name of an attribute");
    if (!names.insert(name.text).second) throw SyntaxError(name.place, "'" + name.text + "' is given twice");
    Expect('=');
    const int declared = op ? op.AttributeIndex(name.text) : -1;
    entries.emplace_back(name.text, declared >= 0 ? ReadDeclared(op.row().attributes[declared]) : ReadAttribute());
  } while (Accept(','));
  Expect('}');
  return entries;
}

}  // namespace phi::ir
