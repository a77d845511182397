// SPDX-License-Identifier: Apache-2.0
#include "common/enforce.h"

#include <cctype>
#include <sstream>

namespace phi::enforce {

std::string FormatAll(const char* fmt, std::initializer_list<Printable> args) {
  std::ostringstream os;
  const Printable* next = args.begin();
  for (; *fmt; ++fmt) {
    if (fmt[0] == '%' && fmt[1] == '%') {
      os << *fmt++;
    } else if (fmt[0] == '%' && next != args.end()) {
      ++fmt;
      while (*fmt && !std::isalpha(static_cast<unsigned char>(*fmt))) ++fmt;
      while (*fmt == 'l' || *fmt == 'z' || *fmt == 'h') ++fmt;
      os << *next++;
      if (!*fmt) break;
    } else {
      os << *fmt;
    }
  }
  return os.str();
}

std::string Hint(const char* a_text, const char* b_text, const char* relation, const Printable& a, const Printable& b) {
  std::ostringstream os;
  os << " [Hint: expected " << a_text << " " << relation << " " << b_text << ", but received " << a << " and " << b
     << ".]";
  return os.str();
}

void Throw(const ErrorSummary& summary, const std::string& hint, const char* file, int line) {
  throw EnforceNotMet(
      summary.code, "(" + std::string(ErrorCodeName(summary.code)) + ") " + summary.message + hint, file, line);
}

}  // namespace phi::enforce
