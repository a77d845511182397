// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/Tensor.h>

#include "torch/keys.h"

namespace phi::torch_bridge {
namespace {

using c10::IValue;

at::Scalar ReadScalar(const at::Tensor& tensor, const std::string& op, const std::string& argument) {
  TORCH_CHECK_VALUE(tensor.sym_numel() == 1,
                    op,
                    ": argument '",
                    argument,
                    "' expected a tensor with one element, got shape ",
                    tensor.sym_sizes(),
                    ".");
  return tensor.item();
}

std::vector<c10::SymInt> ReadInts(const at::Tensor& tensor, const std::string& op, const std::string& argument) {
  TORCH_CHECK_TYPE(at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false),
                   op,
                   ": argument '",
                   argument,
                   "' expected a tensor of integers, got ",
                   tensor.scalar_type(),
                   ".");
  TORCH_CHECK_VALUE(tensor.dim() <= 1,
                    op,
                    ": argument '",
                    argument,
                    "' expected a tensor of 0 or 1 dimensions, got ",
                    tensor.dim(),
                    ".");
  constexpr int64_t kMost = 1 << 24;
  TORCH_CHECK_VALUE(tensor.sym_numel() <= kMost,
                    op,
                    ": argument '",
                    argument,
                    "' expected a tensor of at most ",
                    kMost,
                    " elements, got ",
                    tensor.sym_numel(),
                    ".");
  const at::Tensor values = tensor.reshape({-1}).cpu();  // one copy rather than one for each element
  std::vector<c10::SymInt> ints;
  for (const at::Tensor& value : values.unbind()) ints.push_back(value.item().toSymInt());
  return ints;
}

void Call(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  const auto plain = c10::Dispatcher::singleton().findSchemaOrThrow(schema.name().c_str(), "");
  const auto& declared = plain.schema().arguments();
  const std::string name = schema.name() + "." + schema.overload_name();
  IValue* arguments = stack->data() + stack->size() - declared.size();
  for (size_t i = 0; i < declared.size(); ++i) {
    const bool as_tensor = schema.arguments()[i].type()->kind() == c10::TypeKind::TensorType &&
                           declared[i].type()->kind() != c10::TypeKind::TensorType;
    if (!as_tensor || !arguments[i].isTensor()) continue;
    const at::Tensor tensor = arguments[i].toTensor();
    if (declared[i].type()->kind() == c10::TypeKind::ListType) {
      arguments[i] = c10::SymIntArrayRef(ReadInts(tensor, name, declared[i].name()));
    } else {
      arguments[i] = ReadScalar(tensor, name, declared[i].name());
    }
  }
  plain.callBoxed(stack);
}

}  // namespace

torch::CppFunction TensorOverload() { return torch::CppFunction::makeFromBoxedFunction<&Call>(); }

}  // namespace phi::torch_bridge
