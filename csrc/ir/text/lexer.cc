// SPDX-License-Identifier: Apache-2.0
#include "ir/text/lexer.h"

#include <utility>

namespace phi::ir {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsWordPart(char c) { return IsLetter(c) || IsDigit(c); }
bool IsNamePart(char c) { return IsWordPart(c) || c == '.' || c == '$' || c == '-'; }
bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// The length of the UTF-8 character at the start of the text, 0 where there is none.
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80                    ? 1
                        : first >= 0xC2 && first < 0xE0 ? 2
                        : first >= 0xE0 && first < 0xF0 ? 3
                        : first >= 0xF0 && first < 0xF5 ? 4
                                                        : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  if (length == 3 && ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F))) return 0;
  if (length == 4 && ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))) return 0;
  return length;
}

}  // namespace

std::string MessageOf(const std::exception& error) {
  const std::string text = error.what();
  const size_t end = text.find(") ");
  return text[0] == '(' && end != std::string::npos ? text.substr(end + 2) : text;
}

bool IsPlainWord(std::string_view name) {
  bool starts = true;
  for (const char c : name) {
    if (starts ? !IsLetter(c) : !IsWordPart(c) && c != '.') return false;
    starts = false;
  }
  return !starts && name.back() != '.' && name.find("..") == std::string_view::npos && name != "_";
}

bool IsPlainValueName(std::string_view name) {
  if (name.empty() || !(IsLetter(name[0]) || name[0] == '$')) return false;
  for (const char c : name) {
    if (!IsNamePart(c)) return false;
  }
  return true;
}

std::string Quoted(std::string_view text) {
  constexpr const char* kHex = "0123456789abcdef";
  std::string quoted = "\"";
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    const size_t length = Utf8Length(text.substr(i));
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      quoted += "\\x";
      quoted += kHex[static_cast<unsigned char>(c) >> 4];
      quoted += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      quoted += text.substr(i, length);
      i += length;
      continue;
    }
    ++i;
  }
  return quoted + '"';
}

const Token& Lexer::Peek() {
  if (count_ == 0) {
    ahead_[0] = Read();
    count_ = 1;
  }
  return ahead_[0];
}

const Token& Lexer::PeekSecond() {
  Peek();
  if (count_ == 1) {
    ahead_[1] = Read();
    count_ = 2;
  }
  return ahead_[1];
}

Token Lexer::Next() {
  Peek();
  Token token = std::move(ahead_[0]);
  ahead_[0] = std::move(ahead_[1]);
  --count_;
  last_line_ = token.place.line;
  return token;
}

void Lexer::Advance() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++place_.line;
    place_.column = 1;
  } else if (!IsContinuation(At())) {
    ++place_.column;
  }
}

void Lexer::SkipSpace() {
  for (;;) {
    const char c = At();
    if (at_ < text_.size() && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      Advance();
    } else if (c == '/' && At(1) == '/') {
      while (at_ < text_.size() && At() != '\n') Advance();
    } else {
      return;
    }
  }
}

std::string Lexer::ReadQuoted() {
  const TextPlace start = place_;
  Advance();
  std::string text;
  for (;;) {
    if (at_ >= text_.size() || At() == '\n') throw SyntaxError(start, "the string has no end; expected \"");
    const char c = At();
    if (c == '"') break;
    if (c != '\\') {
      text += c;
      Advance();
      continue;
    }
    const TextPlace escape = place_;
    const char next = At(1);
    const int high = next == 'x' ? HexValue(At(2)) : -1, low = high >= 0 ? HexValue(At(3)) : -1;
    if (next == '"' || next == '\\') {
      text += next;
    } else if (next == 'n') {
      text += '\n';
    } else if (next == 't') {
      text += '\t';
    } else if (low >= 0) {
      text += static_cast<char>(high * 16 + low);
    } else {
      throw SyntaxError(escape, R"(unknown escape; expected \" \\ \n \t or \xNN)");
    }
    for (int i = low >= 0 ? 4 : 2; i > 0; --i) Advance();
  }
  Advance();
  return text;
}

Token Lexer::Read() {
  SkipSpace();
  Token token;
  token.place = place_;
  token.begin = at_;
  const auto take = [&](size_t length) {
    token.text = text_.substr(at_, length);
    for (size_t i = 0; i < length; ++i) Advance();
  };
  size_t length = 1;
  const char c = At();
  if (at_ >= text_.size()) {
    token.kind = Token::Kind::End;
  } else if (IsLetter(c)) {
    while (IsWordPart(At(length)) || (At(length) == '.' && IsWordPart(At(length + 1)))) ++length;
    token.kind = Token::Kind::Word;
    take(length);
  } else if (IsDigit(c)) {
    while (IsDigit(At(length))) ++length;
    if (At(length) == '.') ++length;
    while (IsDigit(At(length))) ++length;
    const bool sign = At(length + 1) == '+' || At(length + 1) == '-';
    if ((At(length) == 'e' || At(length) == 'E') && IsDigit(At(length + 1 + sign))) {
      length += 1 + sign;
      while (IsDigit(At(length))) ++length;
    }
    token.kind = Token::Kind::Number;
    take(length);
  } else if (c == '"') {
    token.kind = Token::Kind::String;
    token.quoted = true;
    token.text = ReadQuoted();
  } else if (c == '%' && At(1) == '"') {
    Advance();
    token.kind = Token::Kind::Value;
    token.quoted = true;
    token.text = ReadQuoted();
  } else if (c == '%' && IsNamePart(At(1))) {
    Advance();
    while (IsNamePart(At(length))) ++length;
    token.kind = Token::Kind::Value;
    take(length);
  } else {
    const size_t character = Utf8Length(text_.substr(at_));
    token.kind = Token::Kind::Sign;
    take(character == 0 ? 1 : character);
  }
  token.end = at_;
  return token;
}

std::string Lexer::RawUntilClosed() {
  const TextPlace start = place_;
  const size_t begin = at_;
  for (int open = 1;;) {
    if (at_ >= text_.size()) throw SyntaxError(start, "the text in < > has no end; expected >");
    if (At() == '"') {
      ReadQuoted();
      continue;
    }
    open += At() == '<' ? 1 : At() == '>' ? -1 : 0;
    Advance();
    if (open == 0) return std::string(text_.substr(begin, at_ - 1 - begin));
  }
}

std::string WordOrQuoted(std::string_view text) { return IsPlainWord(text) ? std::string(text) : Quoted(text); }

}  // namespace phi::ir
