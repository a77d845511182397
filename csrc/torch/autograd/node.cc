// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/node.h"

#include "torch/autograd/fields.h"

namespace phi::torch_bridge {

namespace dynamo = torch::dynamo::autograd;

PHI_FIELD(std::vector<int64_t>)  // as which the edges of each node are packed

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
