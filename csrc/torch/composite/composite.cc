// SPDX-License-Identifier: Apache-2.0
#include "torch/composite/composite.h"

namespace phi::torch_bridge {
namespace {

std::string CompositeName(std::string op) { return op.insert(op.find("::"), "_composite"); }

}  // namespace

std::optional<c10::OperatorHandle> FindCheckAlone(const std::string& op) {
  return c10::Dispatcher::singleton().findSchema({CompositeName(op), "check"});
}

c10::OperatorHandle FindComposite(const std::string& op, const char* overload) {
  const std::string name = CompositeName(op);
  const auto handle = c10::Dispatcher::singleton().findSchema({name, overload});
  TORCH_CHECK_NOT_IMPLEMENTED(handle.has_value(),
                              op,
                              ": its composite ",
                              name,
                              " is not registered. It is written in Python: import phi_torch, or the extension.");
  return *handle;
}

}  // namespace phi::torch_bridge
