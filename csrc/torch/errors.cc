// SPDX-License-Identifier: Apache-2.0
#include "torch/errors.h"

#include <c10/util/Exception.h>

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

}  // namespace phi::torch_bridge
