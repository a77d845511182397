// SPDX-License-Identifier: Apache-2.0
#include "torch/composite.h"

namespace phi::torch_bridge {

c10::OperatorHandle FindComposite(const std::string& op) {
  const auto handle = c10::Dispatcher::singleton().findSchema({"phi_composite::" + op, ""});
  TORCH_CHECK_NOT_IMPLEMENTED(handle.has_value(),
                              "phi::",
                              op,
                              ": its composite phi_composite::",
                              op,
                              " is not registered. It is written in Python: import phi_torch.");
  return *handle;
}

}  // namespace phi::torch_bridge
