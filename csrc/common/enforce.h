// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <ostream>
#include <stdexcept>
#include <string>

// Errors are PHI's classes; csrc/torch maps them to Python's (InvalidArgument -> ValueError, ...).
namespace phi {

enum class ErrorCode {
  InvalidArgument,
  NotFound,
  OutOfRange,
  AlreadyExists,
  PreconditionNotMet,
  Unimplemented,
  Unavailable,
  InvalidType,
  Fatal,
  External,
};

const char* ErrorCodeName(ErrorCode code);

struct ErrorSummary {
  ErrorCode code;
  std::string message;
};

namespace enforce {

class EnforceNotMet : public std::runtime_error {
 public:
  EnforceNotMet(ErrorCode code, const std::string& message, const char* file, int line)
      : std::runtime_error(message), code_(code), file_(file), line_(line) {}
  ErrorCode code() const { return code_; }
  const char* file() const { return file_; }
  int line() const { return line_; }

 private:
  ErrorCode code_;
  const char* file_;
  int line_;
};

[[noreturn]] void Throw(const ErrorSummary& summary, const std::string& hint, const char* file, int line);

// An argument of a message, with the function that prints it: messages are put together in one place, since a template
// for each combination of types would be compiled wherever something is checked.
class Printable {
 public:
  template <typename T>
  Printable(const T& value)  // NOLINT
      : value_(&value), print_([](std::ostream& os, const void* v) { os << *static_cast<const T*>(v); }) {}
  Printable(const char* const& text)  // NOLINT
      : value_(text), print_([](std::ostream& os, const void* v) { os << static_cast<const char*>(v); }) {}
  friend std::ostream& operator<<(std::ostream& os, const Printable& p) {
    p.print_(os, p.value_);
    return os;
  }

 private:
  const void* value_;
  void (*print_)(std::ostream& os, const void* value);
};

// printf-like, but each %-conversion prints its argument with operator<<, whatever its type.
std::string FormatAll(const char* fmt, std::initializer_list<Printable> args);

template <typename... Args>
std::string Format(const char* fmt, const Args&... args) {
  return FormatAll(fmt, {Printable(args)...});
}

std::string Hint(const char* a_text, const char* b_text, const char* relation, const Printable& a, const Printable& b);

}  // namespace enforce

namespace errors {
#define PHI_ERROR_CLASS(Name)                                                   \
  template <typename... Args>                                                   \
  ErrorSummary Name(const char* fmt, const Args&... args) {                     \
    return ErrorSummary{ErrorCode::Name, ::phi::enforce::Format(fmt, args...)}; \
  }                                                                             \
  inline ErrorSummary Name(const std::string& message) { return ErrorSummary{ErrorCode::Name, message}; }
PHI_ERROR_CLASS(InvalidArgument)
PHI_ERROR_CLASS(NotFound)
PHI_ERROR_CLASS(OutOfRange)
PHI_ERROR_CLASS(AlreadyExists)
PHI_ERROR_CLASS(PreconditionNotMet)
PHI_ERROR_CLASS(Unimplemented)
PHI_ERROR_CLASS(Unavailable)
PHI_ERROR_CLASS(InvalidType)
PHI_ERROR_CLASS(Fatal)
PHI_ERROR_CLASS(External)
#undef PHI_ERROR_CLASS
}  // namespace errors

}  // namespace phi

namespace common {
namespace errors = ::phi::errors;
}

#define PADDLE_THROW(...) ::phi::enforce::Throw((__VA_ARGS__), "", __FILE__, __LINE__)

#define PADDLE_ENFORCE(condition, ...)                                                                   \
  do {                                                                                                   \
    if (__builtin_expect(!(condition), 0)) ::phi::enforce::Throw((__VA_ARGS__), "", __FILE__, __LINE__); \
  } while (0)

#define PHI_ENFORCE_RELATION(a, b, relation, ...)                                                                    \
  do {                                                                                                               \
    const auto& phi_enforce_a = (a);                                                                                 \
    const auto& phi_enforce_b = (b);                                                                                 \
    if (__builtin_expect(!(phi_enforce_a relation phi_enforce_b), 0))                                                \
      ::phi::enforce::Throw(                                                                                         \
          (__VA_ARGS__), ::phi::enforce::Hint(#a, #b, #relation, phi_enforce_a, phi_enforce_b), __FILE__, __LINE__); \
  } while (0)

#define PADDLE_ENFORCE_EQ(a, b, ...) PHI_ENFORCE_RELATION(a, b, ==, __VA_ARGS__)
#define PADDLE_ENFORCE_NE(a, b, ...) PHI_ENFORCE_RELATION(a, b, !=, __VA_ARGS__)
#define PADDLE_ENFORCE_GT(a, b, ...) PHI_ENFORCE_RELATION(a, b, >, __VA_ARGS__)
#define PADDLE_ENFORCE_GE(a, b, ...) PHI_ENFORCE_RELATION(a, b, >=, __VA_ARGS__)
#define PADDLE_ENFORCE_LT(a, b, ...) PHI_ENFORCE_RELATION(a, b, <, __VA_ARGS__)
#define PADDLE_ENFORCE_LE(a, b, ...) PHI_ENFORCE_RELATION(a, b, <=, __VA_ARGS__)
#define PADDLE_ENFORCE_NOT_NULL(pointer, ...) PADDLE_ENFORCE((pointer) != nullptr, __VA_ARGS__)
