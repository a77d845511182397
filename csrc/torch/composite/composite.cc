// SPDX-License-Identifier: Apache-2.0
#include "torch/composite/composite.h"

namespace phi::torch_bridge {

c10::OperatorHandle FindComposite(const std::string& op, const char* overload) {
  std::string name = op;
  name.insert(name.find("::"), "_composite");
  const auto handle = c10::Dispatcher::singleton().findSchema({name, overload});
  TORCH_CHECK_NOT_IMPLEMENTED(handle.has_value(),
                              op,
                              ": its composite ",
                              name,
                              " is not registered. It is written in Python: import phi_torch, or the extension.");
  return *handle;
}

}  // namespace phi::torch_bridge
