// SPDX-License-Identifier: Apache-2.0
// What a node of the graph saves: its fields, and how they go into a compiled graph.
#pragma once
#include <c10/util/DimVector.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/dynamo/compiled_autograd.h>

#include <string>
#include <type_traits>
#include <vector>

#include "torch/autograd_utils.h"

namespace phi::torch_bridge {

using torch::autograd::SavedVariable;
using torch::autograd::TypeAndSize;
using torch::dynamo::autograd::CompiledNodeArgs;
using torch::dynamo::autograd::SwapSavedVariables;

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

// A value of a field as a compiled graph takes it, and back.
template <class Packed, class Value>
decltype(auto) ToPacked(const Value& value) {
  if constexpr (std::is_same_v<Value, SavedMetas>) {
    Packed packed;
    for (const SavedMeta& meta : value) packed.push_back(meta.Packed());
    return packed;
  } else if constexpr (std::is_same_v<Value, SavedMeta>) {
    return value.Packed();
  } else {
    return (value);
  }
}
template <class Value, class Packed>
Value FromPacked(Packed&& packed) {
  if constexpr (std::is_same_v<Value, SavedMetas>) {
    return Value(packed.begin(), packed.end());
  } else {
    return Value(std::forward<Packed>(packed));
  }
}

// How a saved field of type T goes into a node, into a compiled graph, and out again as a `Value`.
template <class T>
struct Field {
  using Value = T;
  using Packed = T;  // in a compiled graph
  static const Value& Unpack(T& field, const NodePtr<torch::autograd::Node>&) { return field; }
  static void Release(T&) {}
  static void Collect(CompiledNodeArgs& args, const T& field) { args.collect(field); }
  static void Before(SwapSavedVariables& saved, T& field) { saved.before(field); }
  static void After(SwapSavedVariables& saved, T& field) { saved.after(field); }
};

template <>
struct Field<SavedMeta> {
  using Value = SavedMeta;
  using Packed = std::optional<TypeAndSize>;
  static const Value& Unpack(SavedMeta& field, const NodePtr<torch::autograd::Node>&) { return field; }
  static void Release(SavedMeta&) {}
  static void Collect(CompiledNodeArgs& args, const SavedMeta& field) { args.collect(field.Packed()); }
  static void Before(SwapSavedVariables& saved, SavedMeta& field) {
    for (c10::SymInt& size : field.sizes) saved.before(size);
  }
  static void After(SwapSavedVariables& saved, SavedMeta& field) {
    for (c10::SymInt& size : field.sizes) saved.after(size);
  }
};

template <>
struct Field<SavedMetas> {
  using Value = SavedMetas;
  using Packed = std::vector<std::optional<TypeAndSize>>;
  static const Value& Unpack(SavedMetas& field, const NodePtr<torch::autograd::Node>&) { return field; }
  static void Release(SavedMetas&) {}
  static void Collect(CompiledNodeArgs& args, const SavedMetas& field) { args.collect(ToPacked<Packed>(field)); }
  static void Before(SwapSavedVariables& saved, SavedMetas& field) {
    for (SavedMeta& meta : field) Field<SavedMeta>::Before(saved, meta);
  }
  static void After(SwapSavedVariables& saved, SavedMetas& field) {
    for (SavedMeta& meta : field) Field<SavedMeta>::After(saved, meta);
  }
};

template <>
struct Field<SavedTensor> {
  using Value = at::Tensor;
  using Packed = Value;
  static Value Unpack(SavedTensor& field, const NodePtr<torch::autograd::Node>& self) {
    return field.is_output ? field.variable.unpack(self) : field.variable.unpack();
  }
  static void Release(SavedTensor& field) { field.variable.reset_data(); }
  static void Collect(CompiledNodeArgs& args, const SavedTensor& field) {
    args.collect(field.variable, field.is_output);
  }
  static void Before(SwapSavedVariables& saved, SavedTensor& field) { saved.before(field.variable); }
  static void After(SwapSavedVariables& saved, SavedTensor& field) { saved.after(field.variable); }
};

template <>
struct Field<SavedTensors> {
  using Value = OptionalTensors;
  using Packed = Value;
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
  static void Collect(CompiledNodeArgs& args, const SavedTensors& field) {
    args.collect(field.is_none);
    args.collect(field.variables, field.is_output);
  }
  static void Before(SwapSavedVariables& saved, SavedTensors& field) { saved.before(field.variables); }
  static void After(SwapSavedVariables& saved, SavedTensors& field) { saved.after(field.variables); }
};

}  // namespace phi::torch_bridge
