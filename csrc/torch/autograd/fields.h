// SPDX-License-Identifier: Apache-2.0
// What torch/autograd/node.h declares of the types of fields, compiled for each type in torch/autograd/fields_*.cc: a
// trimmed build takes those that its nodes have.
#pragma once

#include "torch/autograd/compiled.h"
#include "torch/autograd/node.h"

namespace phi::torch_bridge {

class PackedFields : public torch::dynamo::autograd::PackedArgs {
  using PackedArgs::PackedArgs;
};

struct FieldOps {
  void (*collect)(CompiledNodeArgs& args, const void* field);
  void (*before)(SwapSavedVariables& saved, void* field);
  void (*after)(SwapSavedVariables& saved, void* field);
  void (*pack)(torch::dynamo::autograd::PackedArgs& packed, void* field, const NodePtr<torch::autograd::Node>& self);
  at::TypePtr (*type)();  // as packed
};

template <class T>
const FieldOps& OpsOf() {
  using F = CompiledField<T>;
  static const FieldOps ops{
      [](CompiledNodeArgs& args, const void* field) { F::Collect(args, *static_cast<const T*>(field)); },
      [](SwapSavedVariables& saved, void* field) { F::Before(saved, *static_cast<T*>(field)); },
      [](SwapSavedVariables& saved, void* field) { F::After(saved, *static_cast<T*>(field)); },
      [](torch::dynamo::autograd::PackedArgs& packed, void* field, const NodePtr<torch::autograd::Node>& self) {
        packed.pack(F::ToPacked(F::Unpack(*static_cast<T*>(field), self)));
      },
      &torch::dynamo::autograd::IValuePacker<typename F::Packed>::packed_type};
  return ops;
}

template <class T>
typename Field<T>::Value Unpack(PackedFields& packed) {
  using F = CompiledField<T>;
  return F::FromPacked(packed.unpack<typename F::Packed>());
}

}  // namespace phi::torch_bridge

#define PHI_FIELD(T)                   \
  template const FieldOps& OpsOf<T>(); \
  template Field<T>::Value Unpack<T>(PackedFields & packed);
