// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/error.h"

#include <sstream>

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
        os << DataTypeName(tensors[slot].dtype()) << tensors[slot].dims();
      }
    }
  }
  os << "): ";
  return os.str();
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
    throw OperationError(ErrorCode::External, Text(step, inputs, tensors) + error.what(), __FILE__, __LINE__);
  }
}

}  // namespace phi::ir
