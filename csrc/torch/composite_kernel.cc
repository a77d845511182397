// SPDX-License-Identifier: Apache-2.0
#include "torch/composite_kernel.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/stack.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "core/kernel_context.h"
#include "infermeta/decided_by_values.h"
#include "torch/composite.h"
#include "torch/out_tensor.h"
#include "torch/tensor_adapter.h"

namespace phi::torch_bridge {
namespace {

at::IValue ToIValue(bool value) { return value; }
at::IValue ToIValue(int64_t value) { return value; }
at::IValue ToIValue(double value) { return value; }
at::IValue ToIValue(const std::string& value) { return value; }
at::IValue ToIValue(const IntArray& value) { return value.GetData(); }
at::IValue ToIValue(DataType value) { return value == DataType::UNDEFINED ? at::IValue() : at::IValue(ToTorch(value)); }
at::IValue ToIValue(DataLayout value) { return std::string(DataLayoutName(value)); }
at::IValue ToIValue(const Place& value) { return ToTorch(value); }
at::IValue ToIValue(const Scalar& value) {
  if (value.dtype() == DataType::BOOL) return value.to<bool>();
  if (IsComplexType(value.dtype())) {
    const auto number = value.to<phi::dtype::complex<double>>();
    return c10::complex<double>(number.real(), number.imag());
  }
  return IsFloatingType(value.dtype()) ? at::IValue(value.to<double>()) : at::IValue(value.to<int64_t>());
}
template <typename T>
at::IValue ToIValue(const std::vector<T>& values) {
  if constexpr (std::is_same_v<T, Scalar>) {
    c10::List<at::Scalar> scalars;
    for (const Scalar& value : values) scalars.push_back(ToIValue(value).toScalar());
    return scalars;
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    c10::List<T> list;
    for (const T& value : values) list.push_back(value);
    return list;
  } else {
    using Wide = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;
    return std::vector<Wide>(values.begin(), values.end());
  }
}

at::Tensor TensorAt(const KernelContext& ctx, int at) {
  const auto* tensor = ctx.InputAt<DenseTensor>(at);
  return tensor == nullptr ? at::Tensor() : ToTorch(*tensor);
}

// What the call was given, in the order of the schema: the tensors and the attributes of a kernel are apart.
torch::jit::Stack Arguments(const c10::FunctionSchema& schema, const KernelContext& ctx) {
  torch::jit::Stack stack;
  size_t inputs = 0, attributes = 0;
  for (const c10::Argument& argument : schema.arguments()) {
    const c10::TypePtr type = argument.type()->kind() == c10::TypeKind::OptionalType
                                  ? argument.type()->expectRef<c10::OptionalType>().getElementType()
                                  : argument.type();
    const bool is_list = type->isSubtypeOf(*c10::ListType::ofTensors());
    if (!is_list && type->kind() != c10::TypeKind::TensorType) {
      stack.push_back(std::visit([](const auto& value) { return ToIValue(value); }, ctx.AttributeAt(attributes++)));
      continue;
    }
    const auto [begin, end] = ctx.InputRangeAt(inputs++);
    if (is_list) {
      std::vector<at::Tensor> tensors;
      for (int i = begin; i < end; ++i) tensors.push_back(TensorAt(ctx, i));
      stack.push_back(tensors.empty() && type != argument.type() ? at::IValue() : at::IValue(std::move(tensors)));
    } else {
      at::Tensor tensor = TensorAt(ctx, begin);
      stack.push_back(tensor.defined() ? at::IValue(std::move(tensor)) : at::IValue());
    }
  }
  return stack;
}

// Whether a shape is the one that InferMeta said, but for the sizes that it left to the kernel.
bool Fits(const DDim& found, const DDim& said) {
  return std::equal(found.begin(), found.end(), said.begin(), said.end(), [](int64_t size, int64_t expected) {
    return size == expected || expected == kDecidedByValues;
  });
}

// Gives an output what the composite computed: memory of its own, of the data type that InferMeta said and a shape
// that fits. `others` are the arguments, and the outputs so far.
void Take(at::Tensor result, std::vector<at::Tensor>* others, DenseTensor* out) {
  const DDim found(result.sizes().data(), result.dim());
  PADDLE_ENFORCE(Fits(found, out->dims()) && ToPhi(result.scalar_type()) == out->dtype(),
                 errors::Fatal("the composite gives %s%s, but InferMeta says %s%s",
                               ToPhi(result.scalar_type()),
                               found,
                               out->dtype(),
                               out->dims()));
  if (found != out->dims()) out->Resize(found);
  result = result.resolve_conj().resolve_neg();
  const bool is_shared =
      std::ranges::any_of(*others, [&](const at::Tensor& other) { return result.is_alias_of(other); });
  if (is_shared) result = result.clone();
  others->push_back(result);
  AssignResult(out, std::move(result));
}

std::vector<at::Tensor> TensorsIn(const torch::jit::Stack& values) {
  std::vector<at::Tensor> tensors;
  for (const at::IValue& value : values) {
    if (value.isTensor()) tensors.push_back(value.toTensor());
    if (value.isTensorList()) std::ranges::copy(value.toTensorVector(), std::back_inserter(tensors));
  }
  std::erase_if(tensors, [](const at::Tensor& tensor) { return !tensor.defined(); });
  return tensors;
}

void Call(const c10::OperatorHandle& composite, KernelContext* ctx) {
  torch::jit::Stack stack = Arguments(composite.schema(), *ctx);
  std::vector<at::Tensor> others = TensorsIn(stack);
  {
    const at::AutoDispatchBelowADInplaceOrView no_autograd;
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    composite.callBoxed(&stack);
  }
  for (size_t i = 0; i < ctx->OutputsSize(); ++i) {
    const auto [begin, end] = ctx->OutputRangeAt(i);
    const at::IValue& value = stack.at(i);
    if (value.isNone()) continue;  // an optional output
    const std::vector<at::Tensor> results =
        value.isTensorList() ? value.toTensorVector() : std::vector{value.toTensor()};
    for (int j = begin; j < end; ++j) {
      auto* out = ctx->MutableOutputAt<DenseTensor>(j);
      if (out != nullptr) Take(results.at(j - begin), &others, out);
    }
  }
}

}  // namespace

bool RegisterComposite(const char* op, const OpSite& site, std::initializer_list<DataType> dtypes, const char* source) {
  KernelFactory& factory = KernelFactory::Instance();
  for (const DataType dtype : dtypes) {
    const KernelKey key(Backend::ALL_BACKEND, DataLayout::ALL_LAYOUT, dtype);
    const KernelFunctor functor = [op](KernelContext* ctx) { Call(FindComposite(op, ""), ctx); };
    factory.Register(site.kernels().name(), key, site.kernels().MakeKernel(key, functor, source, 0));
  }
  return true;
}

}  // namespace phi::torch_bridge
