// SPDX-License-Identifier: Apache-2.0
#include "ir/text/base64.h"

#include <cstdint>

namespace phi::ir {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string Base64(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  std::string bytes;
  if (text.size() % 4 != 0) return std::nullopt;
  for (size_t i = 0; i < text.size(); i += 4) {
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) {
      const size_t digit = kDigits.find(text[i + k]);
      if (digit == std::string_view::npos && text[i + k] != '=') return std::nullopt;
      group = group << 6 | static_cast<uint32_t>(digit == std::string_view::npos ? 0 : digit);
    }
    for (int k = 0; k < 3; ++k) bytes += static_cast<char>(group >> (16 - 8 * k) & 255);
  }
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  bytes.resize(bytes.size() - padding);
  if (Base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace phi::ir
