// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/error.h"

#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "ir/core/builtin_type.h"
#include "ir/text/lexer.h"

namespace phi::ir {

namespace {

std::string Text(const Step& step, const std::vector<Slots>& inputs, const std::vector<DenseTensor>& tensors) {
  std::ostringstream os;
  os << Describe(*step.op) << " of (";
  bool first = true;
  for (const Slots& slots : inputs) {
    for (const int slot : slots) {
      os << (first ? "" : ", ");
      first = false;
      if (slot < 0) {
        os << "none";
      } else {
        os << TypeText(tensors[slot].dtype(), tensors[slot].dims());
      }
    }
  }
  os << "): ";
  return os.str();
}

// The class of an error of Python's, with which its text begins; behind it stands where it was raised.
ErrorCode TakeClass(std::string_view* text) {
  static constexpr std::pair<std::string_view, ErrorCode> kClasses[] = {
      {"ValueError: ", ErrorCode::InvalidArgument},
      {"IndexError: ", ErrorCode::OutOfRange},
      {"TypeError: ", ErrorCode::InvalidType},
      {"NotImplementedError: ", ErrorCode::Unimplemented},
  };
  for (const auto& [name, code] : kClasses) {
    if (!text->starts_with(name)) continue;
    text->remove_prefix(name.size());
    return code;
  }
  return ErrorCode::External;
}

}  // namespace

void RethrowFor(const Step& step, const std::vector<Slots>& inputs, const std::vector<DenseTensor>& tensors) {
  try {
    throw;
  } catch (const OperationError&) {
    throw;
  } catch (const enforce::EnforceNotMet& error) {
    throw OperationError(error.code(), Text(step, inputs, tensors) + MessageOf(error), error.file(), error.line());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    std::string_view text = error.what();
    const ErrorCode code = TakeClass(&text);
    text = text.substr(0, text.find("\n\nAt:\n"));
    throw OperationError(code, Text(step, inputs, tensors) + std::string(text), __FILE__, __LINE__);
  }
}

}  // namespace phi::ir
