// SPDX-License-Identifier: Apache-2.0
#include "torch/convert.h"
#include "torch/custom_op/inputs.h"

// What is known of the outputs of a custom operator without running it.
namespace phi::torch_bridge {

namespace {

using at::IValue;
using c10::SymInt;

// A shape of int64_t has the same type, so InferShape functions over int64_t do not get such an attribute.
constexpr const char* kNotForShapes = "std::vector<int64_t>";

template <class Value, class Read>
paddle::detail::Call<Value> CallFrom(const CustomOp& op,
                                     at::ArrayRef<IValue> arguments,
                                     const char* left_out,
                                     const Read& read) {
  paddle::detail::Call<Value> call;
  for (size_t i = 0; i < op.inputs().size(); ++i) {
    call.inputs.push_back(CustomInput<Value>(op.inputs()[i], arguments[i], read));
  }
  call.attributes = CustomAttributes(op, arguments, left_out);
  return call;
}

// An author who counts in int64_t gets numbers: a symbolic size takes the value that it has now.
int64_t Number(const CustomOp& op, const SymInt& size) {
  if (size.is_symbolic() && !size.maybe_as_int()) op.WarnOfNumbers();
  return size.guard_int(__FILE__, __LINE__);
}

std::vector<std::vector<SymInt>> RunShapes(const CustomOp& op, at::ArrayRef<IValue> arguments) {
  const auto& infer = op.info().infer_shape;
  if (infer.syms.run != nullptr) {
    auto call = CallFrom<std::vector<SymInt>>(
        op, arguments, "", [](const at::Tensor& tensor) { return tensor.sym_sizes().vec(); });
    return infer.syms.run(call);
  }
  auto call = CallFrom<std::vector<int64_t>>(op, arguments, kNotForShapes, [&](const at::Tensor& tensor) {
    std::vector<int64_t> sizes;
    for (const SymInt& size : tensor.sym_sizes()) sizes.push_back(Number(op, size));
    return sizes;
  });
  std::vector<std::vector<SymInt>> shapes;
  for (const auto& shape : infer.ints.run(call)) shapes.emplace_back(shape.begin(), shape.end());
  return shapes;
}

// The values that the author's function gives are those of the outputs that overwrite nothing and are no lists; the
// others are like an input. Without a function, Paddle's rules say like which.
template <class Value, class Run, class Like, class Set>
void InferOutputs(
    const CustomOp& op, bool has_function, const char* what, const Run& run, const Like& like, const Set& set) {
  const auto is_given = [](const CustomTensor& output) { return output.inplace < 0 && !output.is_list; };
  std::vector<Value> given;
  if (has_function) {
    given = run();
    size_t expected = 0;
    for (const CustomTensor& output : op.outputs()) expected += is_given(output);
    PADDLE_ENFORCE(given.size() == expected,
                   errors::InvalidArgument("%s returns %d values, expected %d, one for each output that overwrites no "
                                           "input and is no list",
                                           what,
                                           given.size(),
                                           expected));
  }
  size_t next = 0;
  for (size_t i = 0; i < op.outputs().size(); ++i) {
    const CustomTensor& output = op.outputs()[i];
    if (has_function && is_given(output)) {
      set(i, std::vector<Value>{given[next++]});
    } else if (output.like >= 0) {
      set(i, like(static_cast<size_t>(output.like)));
    }
  }
}

}  // namespace

std::vector<at::Tensor> CustomTensorsOf(const IValue& value) {
  if (value.isTensorList()) return value.toTensorVector();
  if (value.isTensor() && value.toTensor().defined()) return {value.toTensor()};
  return {};
}

void PushCustomResults(const CustomOp& op, bool inplace_form, std::vector<IValue> outputs, torch::jit::Stack* stack) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (op.Returns(op.outputs()[i], inplace_form)) stack->push_back(std::move(outputs[i]));
  }
}

CustomMetas InferCustomMetas(const CustomOp& op, at::ArrayRef<IValue> arguments) {
  std::vector<std::vector<std::vector<SymInt>>> shapes(op.outputs().size());
  std::vector<std::vector<DataType>> dtypes(op.outputs().size());
  const auto& info = op.info();
  InferOutputs<std::vector<SymInt>>(
      op,
      info.infer_shape.ints.run != nullptr || info.infer_shape.syms.run != nullptr,
      "the InferShape function",
      [&] { return RunShapes(op, arguments); },
      [&](size_t input) {
        std::vector<std::vector<SymInt>> all;
        for (const at::Tensor& tensor : CustomTensorsOf(arguments[input])) all.push_back(tensor.sym_sizes().vec());
        return all;
      },
      [&](size_t output, auto values) { shapes[output] = std::move(values); });
  const auto dtype_of = [](const at::Tensor& tensor) { return ToPhi(tensor.scalar_type()); };
  InferOutputs<DataType>(
      op,
      info.infer_dtype.run != nullptr,
      "the InferDtype function",
      [&] {
        auto call = CallFrom<DataType>(op, arguments, "", dtype_of);
        return info.infer_dtype.run(call);
      },
      [&](size_t input) {
        std::vector<DataType> all;
        for (const at::Tensor& tensor : CustomTensorsOf(arguments[input])) all.push_back(dtype_of(tensor));
        return all;
      },
      [&](size_t output, auto values) { dtypes[output] = std::move(values); });
  CustomMetas metas(op.outputs().size());
  for (size_t i = 0; i < metas.size(); ++i) {
    const size_t known = std::min(shapes[i].size(), dtypes[i].size());
    for (size_t j = 0; j < known; ++j) metas[i].push_back({std::move(shapes[i][j]), dtypes[i][j]});
  }
  return metas;
}

}  // namespace phi::torch_bridge
