// SPDX-License-Identifier: Apache-2.0
#include "torch/empty_lists.h"

#include <string>

#include "torch/errors.h"
#include "torch/keys.h"

namespace phi::torch_bridge {

void detail::ThrowEmptyList(const char* argument) {
  PADDLE_THROW(errors::InvalidArgument("argument '%s': expected at least one tensor, got an empty list", argument));
}

namespace {

void Refuse(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const std::string& name = op.schema().name();
  PHI_OP_TRY
  const auto& arguments = op.schema().arguments();
  const auto values = torch::jit::last(*stack, arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (values[i].isTensorList()) CheckNotEmpty(values[i].toTensorVector(), arguments[i].name().c_str());
  }
  PADDLE_THROW(errors::Unimplemented("no kernel for tensors of %s", toString(keys.highestPriorityTypeId())));
  PHI_OP_CATCH(name.c_str())
}

}  // namespace

void RefuseEmptyLists(torch::Library& m, const char* const* names) {
  for (; *names != nullptr; ++names) {
    m.impl(*names, torch::CppFunction::makeFromBoxedFunction<&Refuse>());
  }
}

}  // namespace phi::torch_bridge
