// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd_node.h"

#include "torch/autograd_compiled.h"

namespace phi::torch_bridge {

namespace dynamo = torch::dynamo::autograd;

class PackedFields : public dynamo::PackedArgs {
  using PackedArgs::PackedArgs;
};

struct FieldOps {
  void (*collect)(CompiledNodeArgs& args, const void* field);
  void (*before)(SwapSavedVariables& saved, void* field);
  void (*after)(SwapSavedVariables& saved, void* field);
  void (*pack)(dynamo::PackedArgs& packed, void* field, const NodePtr<torch::autograd::Node>& self);
  at::TypePtr (*type)();  // as packed
};

template <class T>
const FieldOps& OpsOf() {
  using F = CompiledField<T>;
  static const FieldOps ops{
      [](CompiledNodeArgs& args, const void* field) { F::Collect(args, *static_cast<const T*>(field)); },
      [](SwapSavedVariables& saved, void* field) { F::Before(saved, *static_cast<T*>(field)); },
      [](SwapSavedVariables& saved, void* field) { F::After(saved, *static_cast<T*>(field)); },
      [](dynamo::PackedArgs& packed, void* field, const NodePtr<torch::autograd::Node>& self) {
        packed.pack(F::ToPacked(F::Unpack(*static_cast<T*>(field), self)));
      },
      &dynamo::IValuePacker<typename F::Packed>::packed_type};
  return ops;
}

template <class T>
typename Field<T>::Value Unpack(PackedFields& packed) {
  using F = CompiledField<T>;
  return F::FromPacked(packed.unpack<typename F::Packed>());
}

#define PHI_FIELD(T)                   \
  template const FieldOps& OpsOf<T>(); \
  template Field<T>::Value Unpack<T>(PackedFields & packed);
PHI_FIELD(SavedTensor)
PHI_FIELD(SavedTensors)
PHI_FIELD(SavedMeta)
PHI_FIELD(SavedMetas)
// the attributes' types, as in codegen/types
PHI_FIELD(bool)
PHI_FIELD(int64_t)
PHI_FIELD(double)
PHI_FIELD(std::string)
PHI_FIELD(at::Scalar)
PHI_FIELD(std::optional<at::Device>)
PHI_FIELD(std::optional<at::ScalarType>)
PHI_FIELD(std::vector<bool>)
PHI_FIELD(std::vector<int64_t>)
PHI_FIELD(std::vector<double>)
PHI_FIELD(std::vector<std::string>)
PHI_FIELD(std::vector<at::Scalar>)
PHI_FIELD(std::vector<c10::SymInt>)
#undef PHI_FIELD

void CompiledNode::compiled_args(CompiledNodeArgs& args) const {
  const Parts parts = const_cast<CompiledNode*>(this)->parts();
  for (const int64_t count : parts.edge_counts) args.collect(count);
  for (const SavedField& saved : parts.fields) saved.ops.collect(args, saved.field);
}

variable_list CompiledNode::apply_with_saved(const variable_list& grads, SwapSavedVariables& saved) {
  const Parts parts = this->parts();
  for (const SavedField& field : parts.fields) field.ops.before(saved, field.field);
  const auto& compiler = dynamo::getPyCompilerInterface();
  if (BindsFirst(name())) {
    std::vector<at::TypePtr> types{dynamo::IValuePacker<std::vector<int64_t>>::packed_type()};
    for (const SavedField& field : parts.fields) types.push_back(field.ops.type());
    const auto call = [of_packed = parts.call](const variable_list& incoming, const dynamo::ivalue_list& values) {
      PackedFields packed(values);
      return of_packed(incoming, packed);
    };
    compiler->bind_function(saved.get_py_compiler(), name(), call, std::move(types));
  }
  dynamo::PackedArgs packed;
  packed.pack(packed_edges());
  const NodePtr<torch::autograd::Node> self = SelfOf(*this);
  for (const SavedField& field : parts.fields) field.ops.pack(packed, field.field, self);
  const auto metadata = dynamo::IValuePacker<std::vector<std::optional<torch::autograd::InputMetadata>>>::pack(
      dynamo::get_input_metadata(next_edges()));
  variable_list result =
      compiler->call_function(saved.get_py_compiler(), "apply_functional", name(), grads, packed.vec(), metadata);
  for (const SavedField& field : parts.fields) field.ops.after(saved, field.field);
  return result;
}

}  // namespace phi::torch_bridge
