// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/text/lexer.h"

namespace phi::ir {

// Takes signs, words and numbers from a text. What is wrong is a SyntaxError.
class TokenReader {
 public:
  void ExpectEnd();

 protected:
  TokenReader(IrContext* context, std::string_view text) : lexer_(text), context_(context) {}

  // As long as it lives, one level deeper.
  class Nested {
   public:
    explicit Nested(TokenReader* reader);
    ~Nested() { --*depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    int* depth_;
  };

  [[noreturn]] static void Fail(const Token& at, const std::string& expected);
  // Runs what makes a type or an attribute, whose errors are then of this place.
  template <typename Make>
  static auto At(const Token& token, Make&& make) {
    try {
      return make();
    } catch (const enforce::EnforceNotMet& error) {
      throw SyntaxError(token.place, MessageOf(error));
    }
  }
  Token Expect(char sign);
  Token ExpectWord(std::string_view word);
  bool Accept(char sign);
  bool AcceptWord(std::string_view word);
  std::string ReadString();
  int64_t ReadInteger();
  std::vector<int64_t> ReadIntegers();  // [1,2]
  std::string ReadRealText();
  template <typename T>
  static T RealOf(const std::string& text, TextPlace place);
  // A real number of a data type, as a double.
  static double RealOf(const std::string& text, DataType dtype, TextPlace place);
  template <typename T>
  T ReadReal() {
    const TextPlace place = lexer_.Peek().place;
    return RealOf<T>(ReadRealText(), place);
  }
  ComplexParts ReadComplex();

  Lexer lexer_;
  IrContext* const context_;

 private:
  int depth_ = 0;
};

}  // namespace phi::ir
