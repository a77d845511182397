// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/enforce.h"

namespace phi::torch_bridge {

// Throws PHI's error as the exception that torch turns into Python's class, naming the op, `phi::add`.
[[noreturn]] void Rethrow(const char* op, const enforce::EnforceNotMet& error);

}  // namespace phi::torch_bridge

#define PHI_OP_TRY try {
#define PHI_OP_CATCH(op)                               \
  }                                                    \
  catch (const ::phi::enforce::EnforceNotMet& error) { \
    ::phi::torch_bridge::Rethrow(op, error);           \
  }
