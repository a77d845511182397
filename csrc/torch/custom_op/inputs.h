// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "torch/custom_op/custom_op.h"
#include "torch/overlap.h"

// The arguments of the dispatcher as the functions of a custom operator take them.
namespace phi::torch_bridge {

// `read` gives the value that the function gets of a tensor.
template <class Value, class Read>
paddle::detail::InputOf<Value> CustomInput(const CustomTensor& declared, const at::IValue& argument, const Read& read) {
  std::vector<Value> values;
  for (const at::Tensor& tensor : CustomTensorsOf(argument)) values.push_back(read(tensor));
  if (declared.is_list) {
    if (!declared.is_optional) return values;
    return argument.isNone() ? paddle::optional<std::vector<Value>>()
                             : paddle::optional<std::vector<Value>>(std::move(values));
  }
  if (declared.is_optional) {
    return values.empty() ? paddle::optional<Value>() : paddle::optional<Value>(std::move(values[0]));
  }
  PADDLE_ENFORCE(!values.empty(), errors::InvalidArgument("argument '%s': expected a tensor, got none", declared.name));
  return std::move(values[0]);
}

// The attributes of a call, without those of the type `left_out`.
inline std::vector<Attribute> CustomAttributes(const CustomOp& op,
                                               at::ArrayRef<at::IValue> arguments,
                                               const char* left_out = "") {
  std::vector<Attribute> attributes;
  for (size_t i = 0; i < op.attributes().size(); ++i) {
    const CustomAttribute& attribute = op.attributes()[i];
    if (attribute.type == left_out) continue;
    attributes.push_back(attribute.read(arguments[op.inputs().size() + i], attribute.name.c_str()));
  }
  return attributes;
}

// What the in-place form writes overlaps nothing else.
inline void CheckCustomSharing(const CustomOp& op, at::ArrayRef<at::IValue> arguments) {
  std::vector<std::vector<at::Tensor>> tensors;
  std::vector<SharingArgument> sharing;
  for (size_t i = 0; i < op.inputs().size(); ++i) {
    tensors.push_back(CustomTensorsOf(arguments[i]));
    sharing.emplace_back(at::TensorList(tensors.back()), op.inputs()[i].name.c_str(), op.inputs()[i].inplace >= 0);
  }
  CheckArguments(sharing);
}

}  // namespace phi::torch_bridge
