// SPDX-License-Identifier: Apache-2.0
#include "torch/composite/kernel.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/stack.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/kernel_context.h"
#include "infermeta/decided_by_values.h"
#include "torch/composite/composite.h"
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

// What the call was given, in the order of the schema: the tensors and the attributes of a kernel are apart. Those of
// its arguments that come after `given` have their defaults.
torch::jit::Stack Arguments(const c10::FunctionSchema& schema, size_t given, const KernelContext& ctx) {
  torch::jit::Stack stack;
  stack.reserve(schema.arguments().size());
  size_t inputs = 0, attributes = 0;
  for (const c10::Argument& argument : schema.arguments()) {
    if (stack.size() >= given) {
      stack.push_back(*argument.default_value());
      continue;
    }
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

// An operator of torch that a composite is one call of, or none, if its arguments are of other types in this torch.
class DirectCall {
 public:
  explicit DirectCall(const char* name) : name_(name) {}

  // Null if there is none.
  const c10::OperatorHandle* Of(const char* op) {
    if (name_ != nullptr) std::call_once(once_, [&] { Find(FindComposite(op, "").schema()); });
    return found_ ? &*found_ : nullptr;
  }
  // How many arguments the composite has.
  size_t given() const { return given_; }

 private:
  void Find(const c10::FunctionSchema& composite) {
    const auto handle = c10::Dispatcher::singleton().findSchema({std::string("aten::") + name_, ""});
    given_ = composite.arguments().size();
    if (!handle || handle->schema().arguments().size() < given_) return;
    const c10::FunctionSchema& schema = handle->schema();
    for (size_t i = 0; i < schema.arguments().size(); ++i) {
      const c10::Argument& argument = schema.arguments()[i];
      const bool fits =
          i < given_ ? *argument.type() == *composite.arguments()[i].type() : argument.default_value().has_value();
      if (!fits) return;
    }
    if (schema.returns().size() == composite.returns().size()) found_ = handle;
  }

  const char* const name_;
  std::once_flag once_;
  std::optional<c10::OperatorHandle> found_;
  size_t given_ = 0;
};

void Call(const char* op, DirectCall* direct, KernelContext* ctx) {
  torch::jit::Stack stack;
  std::vector<at::Tensor> others;
  const auto run = [&](const c10::OperatorHandle& called, size_t given) {
    stack = Arguments(called.schema(), given, *ctx);
    others = TensorsIn(stack);
    const at::AutoDispatchBelowADInplaceOrView no_autograd;
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    called.callBoxed(&stack);
  };
  const auto run_composite = [&] {
    const c10::OperatorHandle composite = FindComposite(op, "");
    run(composite, composite.schema().arguments().size());
  };
  if (const c10::OperatorHandle* torch_op = direct->Of(op)) {
    try {
      run(*torch_op, direct->given());
    } catch (const c10::Error&) {
      run_composite();  // it raises the error in words of the operator
    }
  } else {
    run_composite();
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

bool RegisterComposite(const char* op,
                       const char* torch_op,
                       const OpSite& site,
                       std::initializer_list<DataType> dtypes,
                       const char* source) {
  const auto direct = std::make_shared<DirectCall>(torch_op);
  KernelFactory& factory = KernelFactory::Instance();
  for (const DataType dtype : dtypes) {
    const KernelKey key(Backend::ALL_BACKEND, DataLayout::ALL_LAYOUT, dtype);
    const KernelFunctor functor = [op, direct](KernelContext* ctx) { Call(op, direct.get(), ctx); };
    factory.Register(site.kernels().name(), key, site.kernels().MakeKernel(key, functor, source, 0));
  }
  return true;
}

}  // namespace phi::torch_bridge
