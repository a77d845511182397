// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace phi::ir {

struct TextPlace {
  int line = 1, column = 1;  // characters, from 1
};

// What is wrong at a place of the text.
class SyntaxError : public std::runtime_error {
 public:
  SyntaxError(TextPlace place, const std::string& message) : std::runtime_error(message), place(place) {}
  const TextPlace place;
};

// An error's message without the name of its class.
std::string MessageOf(const std::exception& error);

struct Token {
  enum class Kind { End, Word, Number, String, Value, Sign };
  Kind kind = Kind::End;
  std::string text;  // of a string and of a value's name, without quotes and escapes
  bool quoted = false;
  TextPlace place;
  size_t begin = 0, end = 0;  // in the text

  bool Is(char sign) const { return kind == Kind::Sign && text[0] == sign; }
  bool IsWord(std::string_view word) const { return kind == Kind::Word && text == word; }
};

// Splits the text of a program: `pd_op.add`, `12`, `1.5e-3`, `"text"`, `%name`, and single signs. `//` starts a
// comment.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  const Token& Peek();
  const Token& PeekSecond();
  Token Next();
  int last_line() const { return last_line_; }  // of the token that was taken last
  // From after a `<` that was the last token to the `>` that closes it, which is taken.
  std::string RawUntilClosed();

 private:
  Token Read();
  std::string ReadQuoted();
  void SkipSpace();
  char At(size_t offset = 0) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }
  void Advance();

  std::string_view text_;
  size_t at_ = 0;
  TextPlace place_;
  Token ahead_[2];
  int last_line_ = 0;
  int count_ = 0;  // tokens that were looked at, but not taken
};

// Whether a name can stand without quotes.
bool IsPlainWord(std::string_view name);       // `pd_op.add`
bool IsPlainValueName(std::string_view name);  // `conv2d_0.w_0`
// In quotes, with escapes; what is no UTF-8 is escaped by bytes.
std::string Quoted(std::string_view text);
std::string WordOrQuoted(std::string_view text);

}  // namespace phi::ir
