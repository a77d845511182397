// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "common/enforce.h"

// A test is TEST(name) { CHECK(...); }; the program runs the tests named on its command line.
inline std::map<std::string, std::function<void()>>& Tests() {
  static std::map<std::string, std::function<void()>> tests;
  return tests;
}

#define TEST(name)                                            \
  static void name();                                         \
  [[maybe_unused]] static const bool registered_##name = [] { \
    Tests()[#name] = &name;                                   \
    return true;                                              \
  }();                                                        \
  static void name()

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) throw std::runtime_error(std::to_string(__LINE__) + ": " #condition); \
  } while (0)

#define CHECK_EQ(a, b)                                                          \
  do {                                                                          \
    const auto check_a = (a); /* a copy: it may be a part of a temporary */     \
    const auto check_b = (b);                                                   \
    if (!(check_a == check_b)) {                                                \
      std::ostringstream check_os;                                              \
      check_os << __LINE__ << ": " #a " is " << check_a << ", not " << check_b; \
      throw std::runtime_error(check_os.str());                                 \
    }                                                                           \
  } while (0)

// The PHI error that an expression raises: its class, and a part of its message.
#define CHECK_ERROR(expression, Code, part)                                                          \
  do {                                                                                               \
    bool check_raised = false;                                                                       \
    try {                                                                                            \
      (void)(expression);                                                                            \
    } catch (const phi::enforce::EnforceNotMet& e) {                                                 \
      check_raised = true;                                                                           \
      CHECK(e.code() == phi::ErrorCode::Code);                                                       \
      if (std::string(e.what()).find(part) == std::string::npos) throw std::runtime_error(e.what()); \
    }                                                                                                \
    CHECK(check_raised);                                                                             \
  } while (0)
