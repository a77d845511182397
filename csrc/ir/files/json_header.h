// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace phi::ir {

// Reads the JSON of a header from begin to end, one value at a time: objects, lists, texts and whole numbers. Nothing
// is kept, and its caller says how deep it goes. InvalidArgument with the byte for anything else.
class JsonHeader {
 public:
  explicit JsonHeader(std::string_view text) : text_(text) {}

  // `for (Begin('{'); Next('}');)` goes through the members of an object or a list.
  void Begin(char open);
  bool Next(char close);
  std::string Key();  // with its colon
  std::string Text();
  int64_t Number();  // not negative
  std::vector<int64_t> Numbers(size_t most);
  void End();

  [[noreturn]] void Refuse(const char* expected) const;

 private:
  char Peek();
  void Take(char sign, const char* expected);
  uint32_t Hex();
  void AppendEscape(std::string* text);

  std::string_view text_;
  size_t at_ = 0;
  bool is_first_ = false;
};

}  // namespace phi::ir
