// SPDX-License-Identifier: Apache-2.0
// How what a node saves goes into a compiled graph, and out again.
#pragma once
#include <torch/csrc/dynamo/compiled_autograd.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "torch/autograd/saved.h"

namespace phi::torch_bridge {

using torch::autograd::TypeAndSize;
using torch::dynamo::autograd::CompiledNodeArgs;
using torch::dynamo::autograd::SwapSavedVariables;

// Whether this is the first time that a function of this name is bound; a second one would be an error.
bool BindsFirst(const std::string& name);

template <class T>
struct CompiledField : Field<T> {
  using typename Field<T>::Value;
  using Packed = Value;  // what a compiled graph takes
  static const Packed& ToPacked(const Value& value) { return value; }
  static Value FromPacked(Packed packed) { return packed; }
  static void Collect(CompiledNodeArgs& args, const T& field) { args.collect(field); }
  static void Before(SwapSavedVariables& saved, T& field) { saved.before(field); }
  static void After(SwapSavedVariables& saved, T& field) { saved.after(field); }
};

// There is nothing symbolic in it, and torch has no reference to an element.
template <>
inline void CompiledField<std::vector<bool>>::Before(SwapSavedVariables&, std::vector<bool>&) {}
template <>
inline void CompiledField<std::vector<bool>>::After(SwapSavedVariables&, std::vector<bool>&) {}

template <>
struct CompiledField<SavedMeta> : Field<SavedMeta> {
  using Packed = std::optional<TypeAndSize>;
  static Packed ToPacked(const SavedMeta& meta) { return meta.Packed(); }
  static SavedMeta FromPacked(const Packed& packed) { return SavedMeta(packed); }
  static void Collect(CompiledNodeArgs& args, const SavedMeta& field) { args.collect(field.Packed()); }
  static void Before(SwapSavedVariables& saved, SavedMeta& field) {
    for (c10::SymInt& size : field.sizes) saved.before(size);
  }
  static void After(SwapSavedVariables& saved, SavedMeta& field) {
    for (c10::SymInt& size : field.sizes) saved.after(size);
  }
};

template <>
struct CompiledField<SavedMetas> : Field<SavedMetas> {
  using Packed = std::vector<std::optional<TypeAndSize>>;
  static Packed ToPacked(const SavedMetas& metas) {
    Packed packed;
    for (const SavedMeta& meta : metas) packed.push_back(meta.Packed());
    return packed;
  }
  static SavedMetas FromPacked(const Packed& packed) { return SavedMetas(packed.begin(), packed.end()); }
  static void Collect(CompiledNodeArgs& args, const SavedMetas& field) { args.collect(ToPacked(field)); }
  static void Before(SwapSavedVariables& saved, SavedMetas& field) {
    for (SavedMeta& meta : field) CompiledField<SavedMeta>::Before(saved, meta);
  }
  static void After(SwapSavedVariables& saved, SavedMetas& field) {
    for (SavedMeta& meta : field) CompiledField<SavedMeta>::After(saved, meta);
  }
};

template <>
inline void CompiledField<SavedTensor>::Collect(CompiledNodeArgs& args, const SavedTensor& field) {
  args.collect(field.variable, field.is_output);
}
template <>
inline void CompiledField<SavedTensor>::Before(SwapSavedVariables& saved, SavedTensor& field) {
  saved.before(field.variable);
}
template <>
inline void CompiledField<SavedTensor>::After(SwapSavedVariables& saved, SavedTensor& field) {
  saved.after(field.variable);
}

template <>
inline void CompiledField<SavedTensors>::Collect(CompiledNodeArgs& args, const SavedTensors& field) {
  args.collect(field.is_none);
  args.collect(field.variables, field.is_output);
}
template <>
inline void CompiledField<SavedTensors>::Before(SwapSavedVariables& saved, SavedTensors& field) {
  saved.before(field.variables);
}
template <>
inline void CompiledField<SavedTensors>::After(SwapSavedVariables& saved, SavedTensors& field) {
  saved.after(field.variables);
}

}  // namespace phi::torch_bridge
