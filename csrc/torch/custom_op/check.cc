// SPDX-License-Identifier: Apache-2.0
#include "torch/custom_op/custom_op.h"

// Whether the functions of a custom operator take what is declared.
namespace phi::torch_bridge {

namespace {

using paddle::detail::Param;
using paddle::detail::ParamKind;

std::string KindName(ParamKind kind, const std::string& one) {
  switch (kind) {
    case ParamKind::kList:
      return "std::vector<" + one + ">";
    case ParamKind::kOptional:
      return "paddle::optional<" + one + ">";
    case ParamKind::kOptionalList:
      return "paddle::optional<std::vector<" + one + ">>";
    case ParamKind::kOutput:
      return one + "*";
    case ParamKind::kOutputList:
      return "std::vector<" + one + "*>";
    default:
      return one;
  }
}

ParamKind DeclaredKind(const CustomTensor& tensor) {
  if (tensor.is_list) return tensor.is_optional ? ParamKind::kOptionalList : ParamKind::kList;
  return tensor.is_optional ? ParamKind::kOptional : ParamKind::kOne;
}

std::string Count(size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

bool IsInput(const Param& param) { return param.kind <= ParamKind::kOptionalList; }
bool IsOutput(const Param& param) { return param.kind == ParamKind::kOutput || param.kind == ParamKind::kOutputList; }

}  // namespace

// An optional tensor may be taken as one that is empty when it is absent.
void CustomOp::CheckParam(const Param& param, size_t input, const char* what) const {
  const CustomTensor& declared = inputs_[input];
  const ParamKind expected = DeclaredKind(declared);
  const ParamKind lenient = declared.is_list ? ParamKind::kList : ParamKind::kOne;
  Check(param.kind == expected || param.kind == lenient,
        std::string(what) + " takes the input " + declared.declared + " as " + KindName(param.kind, "T") +
            ", expected " + KindName(expected, "T"));
}

void CustomOp::CheckKernel() const {
  const char* what = "the kernel";
  const auto& kernel = info_.kernel;
  Check(kernel.run != nullptr, "has no kernel; add .SetKernelFn(PD_KERNEL(function))");
  size_t inputs = 0, attributes = 0, outputs = 0;
  std::vector<const CustomTensor*> plain;
  for (const CustomTensor& output : outputs_) {
    if (output.inplace < 0) plain.push_back(&output);
  }
  for (const Param& param : kernel.params) {
    if (IsInput(param)) {
      if (inputs < inputs_.size()) CheckParam(param, inputs, what);
      ++inputs;
    } else if (IsOutput(param)) {
      if (outputs < plain.size()) {
        const ParamKind expected = plain[outputs]->is_list ? ParamKind::kOutputList : ParamKind::kOutput;
        Check(param.kind == expected,
              std::string(what) + " takes the output " + plain[outputs]->declared + " as " + KindName(param.kind, "T") +
                  ", expected " + KindName(expected, "T"));
      }
      ++outputs;
    } else {
      if (attributes < attributes_.size()) {
        const CustomAttribute& declared = attributes_[attributes];
        Check(declared.type == param.attribute,
              std::string(what) + " takes the attribute '" + declared.name + "' as " + param.attribute + ", expected " +
                  declared.type + ", as .Attrs(...) declares");
      }
      ++attributes;
    }
  }
  Check(inputs == inputs_.size(),
        std::string(what) + " takes " + Count(inputs, "tensor") + ", expected " + Count(inputs_.size(), "tensor") +
            ", as .Inputs(...) declares");
  Check(attributes == attributes_.size(),
        std::string(what) + " takes " + Count(attributes, "attribute") + ", expected " +
            Count(attributes_.size(), "attribute") + ", as .Attrs(...) declares");
  const size_t expected = kernel.returns ? 0 : plain.size();
  Check(outputs == expected,
        std::string(what) + " has " + Count(outputs, "output parameter") + ", expected " + std::to_string(expected) +
            (kernel.returns ? ", since it returns its outputs" : ", one for each output that overwrites no input"));
}

// Such a function may leave out what comes last.
template <class Function>
void CustomOp::CheckInfer(const Function& function, const char* what, bool takes_int64s) const {
  size_t inputs = 0, attribute = 0;
  for (const Param& param : function.params) {
    if (IsInput(param)) {
      Check(inputs < inputs_.size(),
            std::string(what) + " takes more inputs than the " + std::to_string(inputs_.size()) + " that are declared");
      CheckParam(param, inputs++, what);
      continue;
    }
    Check(!IsOutput(param), std::string(what) + " takes a pointer, expected inputs and attributes");
    while (!takes_int64s && attribute < attributes_.size() && attributes_[attribute].type == "std::vector<int64_t>") {
      ++attribute;
    }
    Check(attribute < attributes_.size(),
          std::string(what) + " takes more attributes than the " + std::to_string(attributes_.size()) +
              " that are declared");
    const CustomAttribute& declared = attributes_[attribute++];
    Check(declared.type == param.attribute,
          std::string(what) + " takes the attribute '" + declared.name + "' as " + param.attribute + ", expected " +
              declared.type + ", as .Attrs(...) declares");
  }
}

template void CustomOp::CheckInfer(const paddle::detail::ShapeFn<int64_t>&, const char*, bool) const;
template void CustomOp::CheckInfer(const paddle::detail::ShapeFn<c10::SymInt>&, const char*, bool) const;
template void CustomOp::CheckInfer(const paddle::detail::InferDtypeFn&, const char*, bool) const;

}  // namespace phi::torch_bridge
