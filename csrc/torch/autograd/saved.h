// SPDX-License-Identifier: Apache-2.0
// What a node of the graph saves: its fields. How they go into a compiled graph: torch/autograd/compiled.h.
#pragma once
#include <c10/util/DimVector.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <string>
#include <type_traits>
#include <vector>

#include "torch/autograd/utils.h"

namespace phi::torch_bridge {

using torch::autograd::SavedVariable;
using torch::autograd::TypeAndSize;

struct SavedTensor {
  SavedTensor() = default;
  explicit SavedTensor(const at::Tensor& tensor, bool is_output = false, bool is_inplace_on_view = false)
      : variable(tensor, is_output, is_inplace_on_view), is_output(is_output) {}
  explicit SavedTensor(const std::optional<at::Tensor>& tensor) : SavedTensor(tensor.value_or(at::Tensor())) {}

  SavedVariable variable;
  bool is_output = false;
};

struct SavedTensors {
  SavedTensors() = default;
  explicit SavedTensors(at::TensorList tensors, bool is_output = false) : is_output(is_output) {
    variables.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors) variables.emplace_back(tensor, is_output);
  }
  explicit SavedTensors(const OptionalTensors& tensors)
      : SavedTensors(tensors ? at::TensorList(*tensors) : at::TensorList()) {
    is_none = !tensors.has_value();
  }

  std::vector<SavedVariable> variables;
  bool is_output = false;
  bool is_none = false;
};

// Shape, dtype and device of a tensor whose data the backward op does not read, without an allocation.
struct SavedMeta {
  SavedMeta() = default;
  explicit SavedMeta(const at::Tensor& tensor) {
    if (!tensor.defined()) return;
    const c10::SymIntArrayRef of_tensor = tensor.sym_sizes();
    sizes.assign(of_tensor.begin(), of_tensor.end());
    options = tensor.options();
    defined = true;
    plain_cpu = (tensor.key_set() - kAutogradKeys) == c10::DispatchKeySet(c10::DispatchKey::CPU);
  }
  explicit SavedMeta(const std::optional<TypeAndSize>& packed) {
    if (!packed) return;
    sizes.assign(packed->sym_sizes.begin(), packed->sym_sizes.end());
    options = packed->options;
    defined = true;
  }
  // as torch has it, for a compiled graph
  std::optional<TypeAndSize> Packed() const {
    if (!defined) return std::nullopt;
    TypeAndSize packed;
    packed.sym_sizes.assign(sizes.begin(), sizes.end());
    packed.options = options;
    return packed;
  }

  static constexpr c10::DispatchKeySet kAutogradKeys =
      c10::autograd_dispatch_keyset_with_ADInplaceOrView | c10::autocast_dispatch_keyset;

  c10::SymDimVector sizes;
  at::TensorOptions options;
  bool defined = false;    // false for an absent tensor
  bool plain_cpu = false;  // a dense tensor of the CPU, of no subclass and in no transform
};
using SavedMetas = std::vector<SavedMeta>;

inline SavedMeta SavedMetaOf(const at::Tensor& tensor) { return SavedMeta(tensor); }
inline SavedMeta SavedMetaOf(const std::optional<at::Tensor>& tensor) {
  return tensor ? SavedMeta(*tensor) : SavedMeta();
}
inline SavedMetas SavedMetaOf(at::TensorList tensors) {
  SavedMetas metas;
  metas.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) metas.emplace_back(tensor);
  return metas;
}

// How a saved field of type T comes out of a node, as a `Value`.
template <class T>
struct Field {
  using Value = T;
  static const Value& Unpack(T& field, const NodePtr<torch::autograd::Node>&) { return field; }
  static void Release(T&) {}
};

template <>
struct Field<SavedTensor> {
  using Value = at::Tensor;
  static Value Unpack(SavedTensor& field, const NodePtr<torch::autograd::Node>& self) {
    return field.is_output ? field.variable.unpack(self) : field.variable.unpack();
  }
  static void Release(SavedTensor& field) { field.variable.reset_data(); }
};

template <>
struct Field<SavedTensors> {
  using Value = OptionalTensors;
  static Value Unpack(SavedTensors& field, const NodePtr<torch::autograd::Node>& self) {
    if (field.is_none) return std::nullopt;
    std::vector<at::Tensor> tensors;
    tensors.reserve(field.variables.size());
    for (SavedVariable& variable : field.variables) {
      tensors.push_back(field.is_output ? variable.unpack(self) : variable.unpack());
    }
    return tensors;
  }
  static void Release(SavedTensors& field) {
    for (SavedVariable& variable : field.variables) variable.reset_data();
  }
};

}  // namespace phi::torch_bridge
