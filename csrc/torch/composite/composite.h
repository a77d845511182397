// SPDX-License-Identifier: Apache-2.0
// An op in terms of other ops, written in Python (phi_torch/decompositions) and found through the dispatcher.
#pragma once
#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string>

namespace phi::torch_bridge {

// The operator phi_composite::<op> of `phi::<op>`, whose schema is the op's functional one without output_mask.
// Raises NotImplementedError when it is not registered, as in a process without Python.
// The overload "vjp" is its derivative: `(Tensor?[] grads, bool[] needed, <the op's arguments>) -> Tensor[]`, one
// gradient for each true of `needed`, which has one element for each tensor argument.
c10::OperatorHandle FindComposite(const std::string& op, const char* overload);

// `phi_composite::<op>.check` of an operator whose sizes values decide on: what InferMeta refuses, without results.
std::optional<c10::OperatorHandle> FindCheckAlone(const std::string& op);

template <class Function>
c10::TypedOperatorHandle<Function> FindComposite(const std::string& op) {
  return FindComposite(op, "").typed<Function>();
}

}  // namespace phi::torch_bridge
