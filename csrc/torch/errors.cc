// SPDX-License-Identifier: Apache-2.0
#include "torch/errors.h"

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace phi::torch_bridge {

void Rethrow(const char* op, const enforce::EnforceNotMet& error) {
  const c10::SourceLocation where{op, error.file(), static_cast<uint32_t>(error.line())};
  const std::string message = std::string(op) + ": " + error.what();
  switch (error.code()) {
    case ErrorCode::InvalidArgument:
      throw c10::ValueError(where, message);
    case ErrorCode::Unavailable:
      throw NeedsValues(where, message);
    case ErrorCode::OutOfRange:
      throw c10::IndexError(where, message);
    case ErrorCode::InvalidType:
      throw c10::TypeError(where, message);
    case ErrorCode::Unimplemented:
      throw c10::NotImplementedError(where, message);
    default:
      throw c10::Error(where, message);
  }
}

namespace {

[[noreturn]] void Throw(ErrorCode code, std::string_view text) {
  throw enforce::EnforceNotMet(code, std::string(text), __FILE__, __LINE__);
}

// What torch's dispatcher makes of None for an argument that is no optional one says this of whatever it is asked
// first.
bool IsOfMissingTensor(const c10::Error& error) {
  return std::string_view(error.what_without_backtrace()).find("called on an undefined Tensor") !=
         std::string_view::npos;
}

}  // namespace

void RethrowOfTorch() {
  try {
    throw;
  } catch (const c10::ValueError& error) {
    Throw(ErrorCode::InvalidArgument, error.what_without_backtrace());
  } catch (const c10::IndexError& error) {
    Throw(ErrorCode::OutOfRange, error.what_without_backtrace());
  } catch (const c10::TypeError& error) {
    Throw(ErrorCode::InvalidType, error.what_without_backtrace());
  } catch (const c10::NotImplementedError& error) {
    Throw(ErrorCode::Unimplemented, error.what_without_backtrace());
  } catch (const c10::Error& error) {  // whose text ends with the frames of C++
    Throw(ErrorCode::External, error.what_without_backtrace());
  }
}

void RethrowCurrent(const char* op) {
  try {
    throw;
  } catch (const c10::Error& error) {
    if (!IsOfMissingTensor(error)) throw;
    const char* const message = ": expected a tensor for each argument that has no default, got None. Pass a tensor.";
    throw c10::TypeError({op, __FILE__, __LINE__}, std::string(op) + message);
  } catch (const enforce::EnforceNotMet& error) {
    Rethrow(op, error);
  } catch (const std::bad_alloc&) {
    throw c10::Error({op, __FILE__, __LINE__}, std::string(op) + ": not enough memory for the results");
  } catch (const std::length_error&) {
    throw c10::Error({op, __FILE__, __LINE__}, std::string(op) + ": the results are too many for any memory");
  }
}

}  // namespace phi::torch_bridge
