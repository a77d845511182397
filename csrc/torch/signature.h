// SPDX-License-Identifier: Apache-2.0
// What torch's dispatcher needs of an op by its C++ type alone. It takes longer to compile than most ops, so it is
// defined in torch/signature_definitions.h, and compiled once for each type that ops have: in the generated
// torch/signatures_*.cc.
#pragma once

#include "torch/op_types.h"

namespace torch {
class Library;
}

namespace phi::torch_bridge {

template <class Fn>
struct Dispatch;

template <class Return, class... Args>
struct [[gnu::visibility("hidden")]] Dispatch<Return(Args...)> {
  using Op = c10::TypedOperatorHandle<Return(Args...)>;

  static Return Call(const Op& op, Args... args);
  static Return Redispatch(const Op& op, c10::DispatchKeySet keys, Args... args);
};

// `fn` is the op's function behind the key of `library`; its first parameter may be the keys.
template <class Fn>
[[gnu::visibility("hidden")]] void Implement(torch::Library& library, const char* name, Fn* fn);

}  // namespace phi::torch_bridge
