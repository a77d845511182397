// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "infermeta/given.h"
#include "torch/convert.h"
#include "torch/custom_op/custom_op.h"
#include "torch/sym_meta.h"

// What a gradient op is given, against what the op that it differentiates gives.
namespace phi::torch_bridge {

namespace {

using at::IValue;
using From = CustomDerivative::From;
using Known = std::vector<const IValue*>;  // the arguments of an op; null where a gradient op is not given them

// What a gradient op, which is `given` this, knows of the arguments of `op`.
Known ArgumentsOf(const CustomOp& op, const Known& given) {
  const CustomDerivative& derivative = *op.derivative();
  Known known(op.argument_count());
  for (size_t i = 0; i < derivative.inputs.size(); ++i) {
    const auto& [from, index] = derivative.inputs[i];
    if (from == From::kInput) known[index] = given[i];
    // an argument is like the output that overwrites it
    const int overwritten = from == From::kOutput ? op.outputs()[index].inplace : -1;
    if (overwritten >= 0 && known[overwritten] == nullptr) known[overwritten] = given[i];
  }
  for (size_t i = 0; i < derivative.attributes.size(); ++i) {
    known[op.inputs().size() + derivative.attributes[i]] = given[derivative.inputs.size() + i];
  }
  return known;
}

// By the author's functions if all that they take is known, else by Paddle's rules, which take tensors.
CustomMetas Infer(const CustomOp& op, const Known& known) {
  const auto& info = op.info();
  const bool has_functions = info.infer_shape.ints.run || info.infer_shape.syms.run || info.infer_dtype.run;
  std::vector<IValue> arguments;
  for (const IValue* argument : known) {
    if (argument == nullptr && has_functions) return CustomMetas(op.outputs().size());
    arguments.push_back(argument == nullptr ? IValue() : *argument);
  }
  return InferCustomMetas(op, arguments);
}

void CheckIsLike(const CustomTensor& input,
                 const std::vector<at::Tensor>& given,
                 const std::vector<CustomMeta>& metas) {
  ExpectedList<SymInt> expected(metas.size());
  for (size_t i = 0; i < metas.size(); ++i) {
    std::vector<SymInt> shape = metas[i].shape;
    // -1 is a size that is known only from data
    for (size_t j = 0; i < given.size() && j < std::min<size_t>(shape.size(), given[i].dim()); ++j) {
      if (shape[j].maybe_as_int() == -1) shape[j] = given[i].sym_size(static_cast<int64_t>(j));
    }
    expected.metas()[i]->set_dims(BasicDDim<SymInt>(shape.data(), static_cast<int64_t>(shape.size())));
    expected.metas()[i]->set_dtype(metas[i].dtype);
  }
  CheckGiven<SymInt>(
      input.name.c_str(), SymInputList(at::TensorList(given), /*strided=*/false).metas(), expected.metas());
}

void Check(const CustomOp& grad, const Known& given) {
  const CustomOp* op = grad.differentiated();
  if (op == nullptr) return;
  const Known known = ArgumentsOf(*op, given);
  Check(*op, known);
  CustomMetas metas = Infer(*op, known);
  const auto& sources = op->derivative()->inputs;
  for (const bool look_for_outputs : {true, false}) {  // first, since a gradient is like its output
    for (size_t i = 0; i < sources.size(); ++i) {
      const auto& [from, index] = sources[i];
      if (given[i] == nullptr || from == From::kInput || (from == From::kOutput) != look_for_outputs) continue;
      const CustomTensor& output = op->outputs()[index];
      const std::vector<at::Tensor> tensors = CustomTensorsOf(*given[i]);
      const bool is_known = !metas[index].empty() || (output.is_list && known[output.like] != nullptr);
      if (is_known && (output.is_list || !tensors.empty())) CheckIsLike(grad.inputs()[i], tensors, metas[index]);
      if (is_known) continue;
      for (const at::Tensor& tensor : tensors)
        metas[index].push_back({tensor.sym_sizes().vec(), ToPhi(tensor.scalar_type())});
    }
  }
}

}  // namespace

void CheckCustomGiven(const CustomOp& grad, at::ArrayRef<IValue> arguments) {
  Known given;
  for (const IValue& argument : arguments) given.push_back(&argument);
  Check(grad, given);
}

}  // namespace phi::torch_bridge
