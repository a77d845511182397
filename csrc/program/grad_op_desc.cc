// SPDX-License-Identifier: Apache-2.0
#include "program/grad_op_desc.h"

#include <string_view>

#include "common/enforce.h"
#include "core/op_utils.h"

namespace phi {

namespace {

using Names = std::vector<std::string>;

// X of X@GRAD; empty for a slot that is none of a gradient.
std::string_view GradientOf(std::string_view slot) {
  return slot.ends_with(kGradVarSuffix) ? slot.substr(0, slot.size() - std::string_view(kGradVarSuffix).size()) : "";
}

const Names* Find(const VariableNameMap& slots, std::string_view slot) {
  const auto found = slots.find(slot);
  return found == slots.end() ? nullptr : &found->second;
}

Names GradientNames(const Names& names) {
  Names gradients;
  for (const std::string& name : names) {
    gradients.push_back(name == kEmptyVarName ? name : GradVarName(name));
  }
  return gradients;
}

// The variables of a slot that the gradient operator reads; null if the forward operator has none.
void AddInput(const OpDesc& forward, const std::string& slot, OpDesc* grad) {
  const Names* names = Find(forward.inputs, slot);
  if (names == nullptr) names = Find(forward.outputs, slot);
  if (names != nullptr) {
    grad->inputs[slot] = *names;
  } else if (const Names* outputs = Find(forward.outputs, GradientOf(slot))) {
    grad->inputs[slot] = GradientNames(*outputs);
  }
}

void AddOutput(const OpDesc& forward, const std::string& slot, const std::set<std::string>& no_grad, OpDesc* grad) {
  const Names* names = Find(forward.inputs, GradientOf(slot));
  if (names == nullptr || names->empty()) return;
  Names gradients = GradientNames(*names);
  for (std::string& gradient : gradients) {
    if (no_grad.count(gradient) != 0) gradient = kEmptyVarName;
  }
  if (gradients.size() == 1 && gradients[0] == kEmptyVarName) gradients.clear();
  grad->outputs[slot] = std::move(gradients);
}

// The slots that any kernel of the gradient operator reads: an attribute may be one too.
std::set<std::string> SlotsRead(const std::string& type) {
  std::set<std::string> slots;
  for (const KernelSignature& signature : OpUtilsMap::Instance().Signatures(type)) {
    slots.insert(signature.input_names.begin(), signature.input_names.end());
    slots.insert(signature.attr_names.begin(), signature.attr_names.end());
  }
  return slots;
}

}  // namespace

OpDesc GradOpDesc(const OpDesc& forward, const std::set<std::string>& no_grad) {
  const OpInfo* info = OpInfoMap::Instance().Find(forward.type);
  PADDLE_ENFORCE_NOT_NULL(info, errors::NotFound("no operator of programs has the name '%s'", forward.type));
  PADDLE_ENFORCE_NOT_NULL(info->grad, errors::Unimplemented("the operator '%s' has no gradient", forward.type));
  OpDesc grad{info->grad, {}, {}, forward.attrs};
  for (const std::string& slot : SlotsRead(grad.type)) AddInput(forward, slot, &grad);
  for (const KernelSignature& signature : OpUtilsMap::Instance().Signatures(grad.type)) {
    for (const std::string& slot : signature.output_names) AddOutput(forward, slot, no_grad, &grad);
  }
  return grad;
}

}  // namespace phi
