// SPDX-License-Identifier: Apache-2.0
// Ownership of autograd nodes: shared_ptr up to torch 2.12, intrusive_ptr from 2.13 on.
#pragma once
#include <torch/csrc/autograd/function.h>
#include <torch/headeronly/version.h>

#include <memory>
#include <utility>

namespace phi::torch_bridge {

#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 13
template <class T>
using NodePtr = c10::intrusive_ptr<T>;

template <class T, class... Args>
NodePtr<T> NewNode(Args&&... args) {
  return c10::make_intrusive<T>(std::forward<Args>(args)...);
}

inline NodePtr<torch::autograd::Node> SelfOf(torch::autograd::Node& node) { return node.getptr(); }
#else
template <class T>
using NodePtr = std::shared_ptr<T>;

template <class T, class... Args>
NodePtr<T> NewNode(Args&&... args) {
  return NodePtr<T>(new T(std::forward<Args>(args)...), torch::autograd::deleteNode);
}

inline NodePtr<torch::autograd::Node> SelfOf(torch::autograd::Node& node) { return node.shared_from_this(); }
#endif

}  // namespace phi::torch_bridge
