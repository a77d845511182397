// SPDX-License-Identifier: Apache-2.0
#include "ir/text/value_parser.h"

#include <charconv>
#include <set>

#include "common/enforce.h"
#include "ir/core/dialect.h"
#include "ir/core/parse_value.h"
#include "ir/text/base64.h"

namespace phi::ir {

namespace {

std::string Shown(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the text";
  if (token.kind == Token::Kind::String) return "the string " + Quoted(token.text.substr(0, 40));
  return "'" + std::string(token.kind == Token::Kind::Value ? "%" : "") + token.text.substr(0, 40) + "'";
}

// Runs what makes a type or an attribute, whose errors are then of this place.
template <typename Make>
auto At(const Token& token, Make&& make) {
  try {
    return make();
  } catch (const enforce::EnforceNotMet& error) {
    throw SyntaxError(token.place, MessageOf(error));
  }
}

bool FindDataType(std::string_view name, DataType* found) {
  for (int i = 0; i < static_cast<int>(DataType::NUM_DATA_TYPES); ++i) {
    if (name != ShortName(static_cast<DataType>(i))) continue;
    *found = static_cast<DataType>(i);
    return true;
  }
  return false;
}

}  // namespace

// As long as it lives, one level deeper.
class ValueParser::Nested {
 public:
  explicit Nested(ValueParser* parser) : depth_(&parser->depth_) {
    if (++*depth_ <= StorageManager::kMaxDepth) return;
    --*depth_;
    Fail(parser->lexer_.Peek(), "at most " + std::to_string(StorageManager::kMaxDepth) + " levels of nesting");
  }
  ~Nested() { --*depth_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  int* depth_;
};

void ValueParser::Fail(const Token& at, const std::string& expected) {
  throw SyntaxError(at.place, "expected " + expected + ", got " + Shown(at));
}

Token ValueParser::Expect(char sign) {
  if (!lexer_.Peek().Is(sign)) Fail(lexer_.Peek(), std::string("'") + sign + "'");
  return lexer_.Next();
}

Token ValueParser::ExpectWord(std::string_view word) {
  if (!lexer_.Peek().IsWord(word)) Fail(lexer_.Peek(), "'" + std::string(word) + "'");
  return lexer_.Next();
}

bool ValueParser::Accept(char sign) {
  if (!lexer_.Peek().Is(sign)) return false;
  lexer_.Next();
  return true;
}

bool ValueParser::AcceptWord(std::string_view word) {
  if (!lexer_.Peek().IsWord(word)) return false;
  lexer_.Next();
  return true;
}

std::string ValueParser::ReadString() {
  if (lexer_.Peek().kind != Token::Kind::String) Fail(lexer_.Peek(), "a string");
  return lexer_.Next().text;
}

void ValueParser::ExpectEnd() {
  if (lexer_.Peek().kind != Token::Kind::End) Fail(lexer_.Peek(), "the end of the text");
}

// ---- numbers ----

int64_t ValueParser::ReadInteger() {
  const Token first = lexer_.Peek();
  const std::string sign = Accept('-') ? "-" : "";
  const Token token = lexer_.Next();
  if (token.kind != Token::Kind::Number) Fail(first, "an integer");
  const std::string text = sign + token.text;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) throw SyntaxError(first.place, text + " has more than 64 bits");
  if (error != std::errc() || end != text.data() + text.size()) Fail(token, "an integer");
  return value;
}

std::string ValueParser::ReadRealText() {
  const Token first = lexer_.Peek();
  const std::string sign = Accept('-') ? "-" : "";
  const Token token = lexer_.Next();
  if (token.kind != Token::Kind::Number && !token.IsWord("inf") && !token.IsWord("nan")) Fail(first, "a number");
  return sign + token.text;
}

namespace {

template <typename T>
T RealOf(const std::string& text, TextPlace place) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const char* type = sizeof(T) == 4 ? "f32" : "f64";
  if (error == std::errc::result_out_of_range) throw SyntaxError(place, text + " is out of the range of " + type);
  if (error != std::errc() || end != text.data() + text.size()) throw SyntaxError(place, text + " is no number");
  return value;
}

// A real number of a data type, as a double.
double RealOf(const std::string& text, DataType dtype, TextPlace place) {
  return dtype == DataType::FLOAT32 ? RealOf<float>(text, place) : RealOf<double>(text, place);
}

}  // namespace

template <typename T>
T ValueParser::ReadReal() {
  const TextPlace place = lexer_.Peek().place;
  return RealOf<T>(ReadRealText(), place);
}

ComplexParts ValueParser::ReadComplex() {
  Expect('(');
  ComplexParts parts;
  parts.real = ReadReal<double>();
  Expect(',');
  parts.imag = ReadReal<double>();
  Expect(')');
  return parts;
}

std::vector<int64_t> ValueParser::ReadIntegers() {
  std::vector<int64_t> values;
  Expect('[');
  if (Accept(']')) return values;
  do values.push_back(ReadInteger());
  while (Accept(','));
  Expect(']');
  return values;
}

// ---- types ----

DataType ValueParser::ReadShortName() {
  const Token token = lexer_.Next();
  DataType dtype = DataType::UNDEFINED;
  if (token.kind != Token::Kind::Word || !FindDataType(token.text, &dtype)) Fail(token, "a data type such as f32");
  return dtype;
}

Type ValueParser::ReadType() {
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

Type ValueParser::ReadTensor(DataType dtype, TensorKind kind, bool value_semantics) {
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

Type ValueParser::ReadNamedType(const Token& name, bool value_semantics) {
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

// ---- dimensions ----

Dim ValueParser::ReadDim() { return Accept('?') ? Dim() : ReadSum(); }

Dim ValueParser::ReadSum() {
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

Dim ValueParser::ReadProduct() {
  Dim product = ReadFactor();
  for (;;) {
    const Token sign = lexer_.Peek();
    if (!Accept('*')) return product;
    const Dim factor = ReadFactor();
    product = At(sign, [&] { return Dim::Multiply(context_, product, factor); });
  }
}

Dim ValueParser::ReadFactor() {
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

// ---- attributes ----

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
