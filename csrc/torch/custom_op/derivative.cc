// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "torch/custom_op/custom_op.h"

// Which tensors and gradients the names of a declaration mean.
namespace phi::torch_bridge {

std::string GradientOf(std::string declared) {
  for (const std::string_view mark : {"@NEW", "@GRAD"}) {
    if (declared.ends_with(mark)) declared.resize(declared.size() - mark.size());
  }
  return declared;
}

int FindTensor(const std::vector<CustomTensor>& tensors, const std::string& declared) {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const CustomTensor& t) { return t.declared == declared; });
  return found == tensors.end() ? -1 : static_cast<int>(found - tensors.begin());
}

std::string NamesOf(const std::vector<CustomTensor>& tensors) {
  std::string names;
  for (const CustomTensor& tensor : tensors) names += (names.empty() ? "" : ", ") + tensor.declared;
  return names;
}

void CustomOp::SetDerivative(CustomOp* grad) {
  CustomDerivative derivative;
  derivative.op = grad;
  using From = CustomDerivative::From;
  for (const CustomTensor& input : grad->inputs_) {
    const int from_input = FindTensor(inputs_, input.declared);
    const int from_output = FindTensor(outputs_, input.declared);
    const int from_grad = input.declared.ends_with("@GRAD") ? FindTensor(outputs_, GradientOf(input.declared)) : -1;
    if (from_grad >= 0) {
      derivative.inputs.push_back({From::kGrad, static_cast<size_t>(from_grad)});
    } else if (from_input >= 0) {
      // an overwritten argument holds the output when the gradient is computed
      const int written = inputs_[from_input].inplace;
      derivative.inputs.push_back(written >= 0
                                      ? CustomDerivative::Source{From::kOutput, static_cast<size_t>(written)}
                                      : CustomDerivative::Source{From::kInput, static_cast<size_t>(from_input)});
    } else {
      grad->Check(from_output >= 0,
                  "the input " + input.declared + " is neither an input (" + NamesOf(inputs_) + ") nor an output (" +
                      NamesOf(outputs_) + ") of " + qualified_name() + ", nor paddle::Grad of an output");
      derivative.inputs.push_back({From::kOutput, static_cast<size_t>(from_output)});
    }
  }
  for (const CustomAttribute& attribute : grad->attributes_) {
    const auto found = std::find_if(attributes_.begin(), attributes_.end(), [&](const CustomAttribute& a) {
      return a.name == attribute.name && a.type == attribute.type;
    });
    grad->Check(found != attributes_.end(),
                "the attribute '" + attribute.name + ": " + attribute.type + "' is none of " + qualified_name());
    derivative.attributes.push_back(static_cast<size_t>(found - attributes_.begin()));
  }
  for (const CustomTensor& output : grad->outputs_) {
    const int target = FindTensor(inputs_, GradientOf(output.declared));
    grad->Check(target >= 0 && output.declared.find("@GRAD") != std::string::npos,
                "the output " + output.declared + " is the gradient of no input of " + qualified_name() + " (" +
                    NamesOf(inputs_) + ")");
    derivative.targets.push_back(static_cast<size_t>(target));
  }
  derivative_ = std::make_unique<CustomDerivative>(std::move(derivative));
  grad->differentiated_ = this;
}

}  // namespace phi::torch_bridge
