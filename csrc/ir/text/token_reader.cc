// SPDX-License-Identifier: Apache-2.0
#include "ir/text/token_reader.h"

#include <charconv>

namespace phi::ir {

namespace {

std::string Shown(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the text";
  if (token.kind == Token::Kind::String) return "the string " + Quoted(token.text.substr(0, 40));
  return "'" + std::string(token.kind == Token::Kind::Value ? "%" : "") + token.text.substr(0, 40) + "'";
}

}  // namespace

TokenReader::Nested::Nested(TokenReader* reader) : depth_(&reader->depth_) {
  if (++*depth_ <= StorageManager::kMaxDepth) return;
  --*depth_;
  Fail(reader->lexer_.Peek(), "at most " + std::to_string(StorageManager::kMaxDepth) + " levels of nesting");
}

void TokenReader::Fail(const Token& at, const std::string& expected) {
  throw SyntaxError(at.place, "expected " + expected + ", got " + Shown(at));
}

Token TokenReader::Expect(char sign) {
  if (!lexer_.Peek().Is(sign)) Fail(lexer_.Peek(), std::string("'") + sign + "'");
  return lexer_.Next();
}

Token TokenReader::ExpectWord(std::string_view word) {
  if (!lexer_.Peek().IsWord(word)) Fail(lexer_.Peek(), "'" + std::string(word) + "'");
  return lexer_.Next();
}

bool TokenReader::Accept(char sign) {
  if (!lexer_.Peek().Is(sign)) return false;
  lexer_.Next();
  return true;
}

bool TokenReader::AcceptWord(std::string_view word) {
  if (!lexer_.Peek().IsWord(word)) return false;
  lexer_.Next();
  return true;
}

std::string TokenReader::ReadString() {
  if (lexer_.Peek().kind != Token::Kind::String) Fail(lexer_.Peek(), "a string");
  return lexer_.Next().text;
}

void TokenReader::ExpectEnd() {
  if (lexer_.Peek().kind != Token::Kind::End) Fail(lexer_.Peek(), "the end of the text");
}

int64_t TokenReader::ReadInteger() {
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

std::string TokenReader::ReadRealText() {
  const Token first = lexer_.Peek();
  const std::string sign = Accept('-') ? "-" : "";
  const Token token = lexer_.Next();
  if (token.kind != Token::Kind::Number && !token.IsWord("inf") && !token.IsWord("nan")) Fail(first, "a number");
  return sign + token.text;
}

template <typename T>
T TokenReader::RealOf(const std::string& text, TextPlace place) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const char* type = sizeof(T) == 4 ? "f32" : "f64";
  if (error == std::errc::result_out_of_range) throw SyntaxError(place, text + " is out of the range of " + type);
  if (error != std::errc() || end != text.data() + text.size()) throw SyntaxError(place, text + " is no number");
  return value;
}

double TokenReader::RealOf(const std::string& text, DataType dtype, TextPlace place) {
  return dtype == DataType::FLOAT32 ? RealOf<float>(text, place) : RealOf<double>(text, place);
}

template float TokenReader::RealOf<float>(const std::string& text, TextPlace place);
template double TokenReader::RealOf<double>(const std::string& text, TextPlace place);

ComplexParts TokenReader::ReadComplex() {
  Expect('(');
  ComplexParts parts;
  parts.real = ReadReal<double>();
  Expect(',');
  parts.imag = ReadReal<double>();
  Expect(')');
  return parts;
}

std::vector<int64_t> TokenReader::ReadIntegers() {
  std::vector<int64_t> values;
  Expect('[');
  if (Accept(']')) return values;
  do values.push_back(ReadInteger());
  while (Accept(','));
  Expect(']');
  return values;
}

}  // namespace phi::ir
