// SPDX-License-Identifier: Apache-2.0
// What differs between the versions of torch in autograd nodes: owned by shared_ptr up to 2.12, by intrusive_ptr from
// 2.13 on; announced when they are made from 2.14 on.
#pragma once
#include <torch/csrc/autograd/function.h>
#include <torch/headeronly/version.h>
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 14
#include <ATen/NodeCreationHooks.h>
#endif

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

// Calls what torch.autograd.graph.node_creation_hook registered, once for each node: when its outputs are known and all
// that it saves is stored.
template <class T>
void Announce([[maybe_unused]] const NodePtr<T>& node) {
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 14
  if (!at::impl::NodeCreationHooks::empty()) torch::autograd::fire_node_creation_hooks(node);
#endif
}

}  // namespace phi::torch_bridge
