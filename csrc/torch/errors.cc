// SPDX-License-Identifier: Apache-2.0
#include "torch/errors.h"

#include <c10/util/Exception.h>

#include <new>
#include <stdexcept>
#include <string>

namespace phi::torch_bridge {

void Rethrow(const char* op, const enforce::EnforceNotMet& error) {
  const c10::SourceLocation where{op, error.file(), static_cast<uint32_t>(error.line())};
  const std::string message = std::string(op) + ": " + error.what();
  switch (error.code()) {
    case ErrorCode::InvalidArgument:
      throw c10::ValueError(where, message);
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

void RethrowCurrent(const char* op) {
  try {
    throw;
  } catch (const enforce::EnforceNotMet& error) {
    Rethrow(op, error);
  } catch (const std::bad_alloc&) {
    throw c10::Error({op, __FILE__, __LINE__}, std::string(op) + ": not enough memory for the results");
  } catch (const std::length_error&) {
    throw c10::Error({op, __FILE__, __LINE__}, std::string(op) + ": the results are too many for any memory");
  }
}

}  // namespace phi::torch_bridge
