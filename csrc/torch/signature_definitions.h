// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <utility>

#include "torch/signature.h"

namespace phi::torch_bridge {

template <class Return, class... Args>
Return Dispatch<Return(Args...)>::Call(const Op& op, Args... args) {
  return op.call(std::forward<Args>(args)...);
}

template <class Return, class... Args>
Return Dispatch<Return(Args...)>::Redispatch(const Op& op, c10::DispatchKeySet keys, Args... args) {
  return op.redispatch(keys, std::forward<Args>(args)...);
}

template <class Fn>
void Implement(torch::Library& library, const char* name, Fn* fn) {
  library.impl(name, fn);
}

}  // namespace phi::torch_bridge
