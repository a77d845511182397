// SPDX-License-Identifier: Apache-2.0
#include "ir/files/json_header.h"

#include "common/enforce.h"

namespace phi::ir {

namespace {

void AppendUtf8(uint32_t code, std::string* text) {
  const auto add = [&](uint32_t byte) { text->push_back(static_cast<char>(byte)); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      add(0xE0 | code >> 12);
    } else {
      add(0xF0 | code >> 18), add(0x80 | (code >> 12 & 0x3F));
    }
    add(0x80 | (code >> 6 & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

}  // namespace

void JsonHeader::Refuse(const char* expected) const {
  const std::string got = at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "'" : "the end";
  PADDLE_THROW(errors::InvalidArgument("byte %d of the header: expected %s, got %s", at_, expected, got));
}

char JsonHeader::Peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
    ++at_;
  }
  return at_ < text_.size() ? text_[at_] : '\0';
}

void JsonHeader::Take(char sign, const char* expected) {
  if (Peek() != sign) Refuse(expected);
  ++at_;
}

void JsonHeader::Begin(char open) {
  Take(open, open == '{' ? "an object" : "a list");
  is_first_ = true;
}

bool JsonHeader::Next(char close) {
  if (Peek() == close) {
    ++at_;
    is_first_ = false;
    return false;
  }
  if (!is_first_) Take(',', close == '}' ? "',' or '}'" : "',' or ']'");
  is_first_ = false;
  return true;
}

std::string JsonHeader::Key() {
  std::string key = Text();
  Take(':', "':'");
  return key;
}

uint32_t JsonHeader::Hex() {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char digit = at_ < text_.size() ? text_[at_] : '\0';
    if (digit >= '0' && digit <= '9') {
      value = value * 16 + static_cast<uint32_t>(digit - '0');
    } else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f') {
      value = value * 16 + static_cast<uint32_t>((digit | 0x20) - 'a' + 10);
    } else {
      Refuse("a hexadecimal digit");
    }
  }
  return value;
}

void JsonHeader::AppendEscape(std::string* text) {
  constexpr std::string_view kNames = "\"\\/bfnrt", kSigns = "\"\\/\b\f\n\r\t";
  const char name = at_ < text_.size() ? text_[at_] : '\0';
  if (const size_t known = kNames.find(name); name != '\0' && known != std::string_view::npos) {
    text->push_back(kSigns[known]);
    ++at_;
    return;
  }
  if (name != 'u') Refuse("an escape");
  ++at_;
  uint32_t code = Hex();
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const uint32_t low = Hex();
    if (low < 0xDC00 || low > 0xDFFF) Refuse("the second half of a character");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  } else if (code >= 0xD800 && code < 0xE000) {
    Refuse("a character, not half of one");
  }
  AppendUtf8(code, text);
}

std::string JsonHeader::Text() {
  Take('"', "a text");
  std::string text;
  for (;;) {
    if (at_ >= text_.size() || static_cast<unsigned char>(text_[at_]) < 0x20) Refuse("the end of a text");
    const char c = text_[at_++];
    if (c == '"') return text;
    if (c == '\\') {
      AppendEscape(&text);
    } else {
      text.push_back(c);
    }
  }
}

int64_t JsonHeader::Number() {
  if (Peek() < '0' || Peek() > '9') Refuse("a whole number that is not negative");
  if (text_[at_] == '0' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9') {
    Refuse("a number without leading zeros");
  }
  int64_t value = 0;
  for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value)) {
      Refuse("a number below 2^63");
    }
  }
  return value;
}

std::vector<int64_t> JsonHeader::Numbers(size_t most) {
  std::vector<int64_t> numbers;
  for (Begin('['); Next(']');) {
    if (numbers.size() >= most) Refuse("fewer numbers");
    numbers.push_back(Number());
  }
  return numbers;
}

void JsonHeader::End() {
  if (Peek() != '\0' || at_ != text_.size()) Refuse("the end");
}

}  // namespace phi::ir
