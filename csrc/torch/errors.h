// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/Exception.h>

#include "common/enforce.h"

namespace phi::torch_bridge {

// Of what InferMeta cannot say without values, ErrorCode::Unavailable.
struct NeedsValues final : c10::ValueError {
  using ValueError::ValueError;
};

// Throws PHI's error as the exception that torch turns into Python's class, naming the op, `phi::add`.
[[noreturn]] void Rethrow(const char* op, const enforce::EnforceNotMet& error);

// Throws the exception that is handled now, one of torch's as one of ours that has its class, others as they are.
[[noreturn]] void RethrowOfTorch();
// The exception that is handled now: PHI's and the standard library's as above, torch's as they are.
[[noreturn]] void RethrowCurrent(const char* op);

}  // namespace phi::torch_bridge

#define PHI_OP_TRY try {
#define PHI_OP_CATCH(op)                     \
  }                                          \
  catch (...) {                              \
    ::phi::torch_bridge::RethrowCurrent(op); \
  }
