// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/enforce.h"

// The checks of custom operators: a message is made of everything that follows the condition, in a row.
namespace phi::enforce {

template <typename... Args>
std::string Concat(const Args&... args) {
  std::ostringstream os;
  ((os << args), ...);
  return os.str();
}

inline std::string MessageOr(const std::string& message, const char* otherwise) {
  return message.empty() ? otherwise : message;
}

}  // namespace phi::enforce

#define PD_THROW(...) \
  PADDLE_THROW(::phi::errors::External(::phi::enforce::MessageOr(::phi::enforce::Concat(__VA_ARGS__), "an error")))

#define PD_CHECK(condition, ...) \
  PADDLE_ENFORCE(                \
      condition,                 \
      ::phi::errors::External(::phi::enforce::MessageOr(::phi::enforce::Concat(__VA_ARGS__), "expected " #condition)))
