// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace phi::funcs {

struct CodePoint {
  char32_t value;
  size_t length;  // in bytes; 0 where the bytes are no UTF-8
};

// The first one of `text`, which is not empty.
inline CodePoint FirstOfUtf8(std::string_view text) {
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // of a length: one below has a shorter form
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC0 || byte(0) > 0xF4 || text.size() < length) return {0, 0};
  char32_t value = byte(0) & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    value = value << 6 | (byte(i) & 0x3F);
  }
  const bool is_surrogate = 0xD800 <= value && value < 0xE000;
  return value < kLeast[length] || value > 0x10FFFF || is_surrogate ? CodePoint{0, 0} : CodePoint{value, length};
}

inline void AppendUtf8(char32_t value, std::string* text) {
  if (value < 0x80) {
    text->push_back(static_cast<char>(value));
    return;
  }
  const int following = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
  text->push_back(static_cast<char>((0xFF80 >> following & 0xFF) | value >> 6 * following));
  for (int i = following - 1; i >= 0; --i) text->push_back(static_cast<char>(0x80 | (value >> 6 * i & 0x3F)));
}

}  // namespace phi::funcs
