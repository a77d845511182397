// SPDX-License-Identifier: Apache-2.0
#include "torch/custom_op/custom_op.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "torch/convert.h"

namespace phi::torch_bridge {

namespace {

using at::IValue;

// Removes each `mark` from `name`; whether there was one.
bool Remove(std::string* name, std::string_view mark) {
  const size_t at = name->find(mark);
  if (at == std::string::npos) return false;
  name->erase(at, mark.size());
  return true;
}

void Replace(std::string* name, std::string_view mark, std::string_view with) {
  for (size_t at = name->find(mark); at != std::string::npos; at = name->find(mark)) {
    name->replace(at, mark.size(), with);
  }
}

CustomTensor ReadTensor(const std::string& declared) {
  CustomTensor tensor;
  tensor.declared = tensor.name = declared;
  tensor.is_list = Remove(&tensor.name, "@VECTOR");
  tensor.is_optional = Remove(&tensor.name, "@OPTIONAL");
  Replace(&tensor.name, "@GRAD", "_grad");
  Replace(&tensor.name, "@NEW", "_new");
  return tensor;
}

const CustomAttribute kAttributeTypes[] = {
    {"", "bool", "bool", [](const IValue& v, const char*) { return Attribute(v.toBool()); }},
    {"", "int", "int", [](const IValue& v, const char* name) { return Attribute(CheckInt32(v.toInt(), name)); }},
    {"", "int64_t", "int", [](const IValue& v, const char*) { return Attribute(v.toInt()); }},
    {"", "float", "float", [](const IValue& v, const char*) { return Attribute(v.toDouble()); }},
    {"", "double", "float", [](const IValue& v, const char*) { return Attribute(v.toDouble()); }},
    {"", "std::string", "str", [](const IValue& v, const char*) { return Attribute(v.toStringRef()); }},
    {"",
     "std::vector<int>",
     "int[]",
     [](const IValue& v, const char* name) {
       return Attribute(ToVector<int>(at::IntArrayRef(v.toIntVector()), name));
     }},
    {"", "std::vector<int64_t>", "int[]", [](const IValue& v, const char*) { return Attribute(v.toIntVector()); }},
    {"",
     "std::vector<float>",
     "float[]",
     [](const IValue& v, const char* name) {
       return Attribute(ToVector<float>(at::ArrayRef<double>(v.toDoubleVector()), name));
     }},
    {"",
     "std::vector<std::string>",
     "str[]",
     [](const IValue& v, const char*) { return Attribute(v.to<std::vector<std::string>>()); }},
};

}  // namespace

CustomOp::CustomOp(paddle::OpMetaInfo info) : info_(std::move(info)), name_(info_.name) {
  for (int i = 0; i < info_.order; ++i) name_ += "_grad";
  ReadTensors();
  ReadAttributes();
  ReadInplaceMap();
  FindLikes();
  CheckKernel();
  CheckInfer(info_.infer_shape.ints, "the InferShape function", /*takes_int64s=*/false);
  CheckInfer(info_.infer_shape.syms, "the InferShape function", /*takes_int64s=*/true);
  CheckInfer(info_.infer_dtype, "the InferDtype function", /*takes_int64s=*/true);
}

void CustomOp::Fail(const std::string& message) const {
  PADDLE_THROW(errors::InvalidArgument("%s (%s:%d): %s", qualified_name(), info_.file, info_.line, message));
}

void CustomOp::ReadTensors() {
  std::set<std::string> names;
  for (const std::string& declared : info_.inputs) {
    inputs_.push_back(ReadTensor(declared));
    Check(names.insert(inputs_.back().name).second, "the input " + declared + " is declared twice");
  }
  for (const std::string& declared : info_.outputs) outputs_.push_back(ReadTensor(declared));
  Check(!inputs_.empty(), "expected at least one name in .Inputs(...), got none");
  Check(!outputs_.empty(), "expected at least one name in .Outputs(...), got none");
}

void CustomOp::ReadAttributes() {
  for (const std::string& declared : info_.attributes) {
    std::string text = declared;
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    const size_t colon = text.find(':');
    Check(colon != std::string::npos && colon > 0, "expected 'name: type' in .Attrs(...), got '" + declared + "'");
    const std::string type = text.substr(colon + 1);
    std::string known;
    for (const CustomAttribute& candidate : kAttributeTypes) {
      known += (known.empty() ? "" : ", ") + candidate.type;
      if (candidate.type == type) {
        attributes_.push_back(candidate);
        attributes_.back().name = text.substr(0, colon);
        known.clear();
        break;
      }
    }
    Check(known.empty(), "attribute '" + declared + "': expected one of the types " + known);
  }
}

void CustomOp::ReadInplaceMap() {
  for (const auto& [input, output] : info_.inplace) {
    const int from = FindTensor(inputs_, input);
    const int to = FindTensor(outputs_, output);
    Check(from >= 0, "the in-place map names '" + input + "', which is none of the inputs " + NamesOf(inputs_));
    Check(to >= 0, "the in-place map names '" + output + "', which is none of the outputs " + NamesOf(outputs_));
    Check(inputs_[from].is_list == outputs_[to].is_list,
          "the in-place map pairs the list '" + (inputs_[from].is_list ? input : output) + "' with a single tensor");
    inputs_[from].inplace = to;
    outputs_[to].inplace = from;
  }
}

void CustomOp::FindLikes() {
  const bool only = inputs_.size() == 1 && outputs_.size() == 1 && info_.inplace.empty() && !inputs_[0].is_list;
  for (CustomTensor& output : outputs_) {
    if (output.inplace >= 0) {
      output.like = output.inplace;
    } else if (info_.order == 0) {
      output.like = only ? 0 : -1;
    } else {
      output.like = FindTensor(inputs_, GradientOf(output.declared));
      // a gradient op that does not take the forward input: Paddle takes its first input
      if (output.like < 0 && inputs_.size() == outputs_.size() && !inputs_[0].is_list) output.like = 0;
    }
    if (output.is_list && (output.like < 0 || !inputs_[output.like].is_list)) {
      Fail("the output " + output.declared + " is a list, whose length must be that of an input: " +
           (info_.order == 0 ? "pair it with a list in .SetInplaceMap(...)"
                             : "add " + GradientOf(output.declared) + " to .Inputs(...)"));
    }
  }
}

void CustomOp::WarnOfNumbers() const {
  bool first = false;
  std::call_once(warned_, [&] { first = true; });
  if (!first) return;
  TORCH_WARN(
      qualified_name(),
      " (",
      info_.file,
      ":",
      info_.line,
      "): its InferShape function takes sizes as int64_t, so a graph holds for one size only: torch.compile compiles "
      "again for each, and torch.export keeps none dynamic. Write the function over paddle::SymInt: "
      "std::vector<std::vector<paddle::SymInt>> InferShape(const std::vector<paddle::SymInt>& x)");
}

size_t CustomOp::ListSize(const CustomTensor& output, at::ArrayRef<IValue> arguments) const {
  return output.is_list ? CustomTensorsOf(arguments[output.like]).size() : 1;
}

std::string CustomOp::Schema(bool inplace_form) const {
  char letter = 'a';
  std::string text = inplace_form ? name_ : functional_name();
  text += "(";
  for (const CustomTensor& input : inputs_) {
    if (text.back() != '(') text += ", ";
    text += "Tensor";
    if (inplace_form && input.inplace >= 0) text += std::string("(") + letter++ + "!)";
    text += std::string(input.is_list ? "[]" : "") + (input.is_optional ? "? " : " ") + input.name;
  }
  for (const CustomAttribute& attribute : attributes_)
    text += std::string(", ") + attribute.schema + " " + attribute.name;
  text += ") -> ";
  std::string results;
  for (const CustomTensor& output : outputs_) {
    if (!Returns(output, inplace_form)) continue;
    results += (results.empty() ? "" : ", ") + std::string("Tensor");
    results += inplace_form && output.inplace >= 0 ? "(a!)" : output.is_list ? "[]" : "";
  }
  return text + "(" + results + ")";
}

}  // namespace phi::torch_bridge
