// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/Tensor.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>

#include "torch/keys.h"
#include "torch/vmap/batch.h"

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

// The form that takes attributes as they are.
c10::OperatorHandle PlainForm(const c10::FunctionSchema& schema) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(schema.name().c_str(), "");
}

// Whether it takes a tensor for what is none in the plain form.
bool IsAttribute(const c10::Argument& argument, const c10::Argument& plain) {
  return argument.type()->kind() == c10::TypeKind::TensorType && plain.type()->kind() != c10::TypeKind::TensorType;
}

void Call(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  const c10::OperatorHandle plain = PlainForm(schema);
  const auto& declared = plain.schema().arguments();
  const std::string name = schema.name() + "." + schema.overload_name();
  IValue* arguments = stack->data() + stack->size() - declared.size();
  for (size_t i = 0; i < declared.size(); ++i) {
    if (!IsAttribute(schema.arguments()[i], declared[i]) || !arguments[i].isTensor()) continue;
    const at::Tensor tensor = arguments[i].toTensor();
    if (declared[i].type()->kind() == c10::TypeKind::ListType) {
      arguments[i] = c10::SymIntArrayRef(ReadInts(tensor, name, declared[i].name()));
    } else {
      arguments[i] = ReadScalar(tensor, name, declared[i].name());
    }
  }
  plain.callBoxed(stack);
}

void CallBatched(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto layer = at::functorch::maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(layer.has_value());
  const c10::FunctionSchema& schema = op.schema();
  const size_t count = schema.arguments().size();
  const Batch batch(layer->layerId(), torch::jit::last(*stack, count));
  const c10::OperatorHandle plain = PlainForm(schema);
  const auto is_batched = [&](size_t i) {
    const IValue& argument = torch::jit::peek(*stack, i, count);
    return IsAttribute(schema.arguments()[i], plain.schema().arguments()[i]) && argument.isTensor() &&
           at::functorch::isBatchedTensor(argument.toTensor());  // at this level, or at one around it
  };
  bool is_any = false;
  for (size_t i = 0; i < count; ++i) is_any = is_any || is_batched(i);
  if (!is_any) return Call(op, stack);
  constexpr c10::DispatchKeySet keys{c10::DispatchKey::FuncTorchBatched,
                                     c10::DispatchKey::FuncTorchBatchedDecomposition};
  const c10::impl::ExcludeDispatchKeyGuard guard(keys);
  CallEachSample(op, batch, torch::jit::pop(*stack, count), stack);
}

}  // namespace

torch::CppFunction BatchedTensorOverload() { return torch::CppFunction::makeFromBoxedFunction<&CallBatched>(); }

torch::CppFunction TensorOverload() { return torch::CppFunction::makeFromBoxedFunction<&Call>(); }

}  // namespace phi::torch_bridge
