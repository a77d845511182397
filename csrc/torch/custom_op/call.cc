// SPDX-License-Identifier: Apache-2.0
#include <c10/core/DeviceGuard.h>

#include "torch/custom_op/inputs.h"
#include "torch/errors.h"
#include "torch/inference_scope.h"
#include "torch/paddle_convert.h"

// The call of a custom operator's kernel.
namespace phi::torch_bridge {

namespace {

using at::IValue;
using paddle::detail::InputOf;
using PaddleTensor = paddle::Tensor;

DDim ShapeOf(const at::Tensor& tensor) { return DDim(tensor.sizes().data(), tensor.dim()); }

// One call: the arguments as the kernel takes them, and what becomes of them.
class Invocation {
 public:
  Invocation(const CustomOp& op, bool inplace_form, at::ArrayRef<IValue> arguments)
      : op_(op), inplace_form_(inplace_form), arguments_(arguments) {
    const auto& params = op.info().kernel.params;
    size_t param = 0;
    for (size_t i = 0; i < op.inputs().size(); ++i) {
      while (params[param].kind > paddle::detail::ParamKind::kOptionalList) ++param;
      const bool may_write = params[param++].is_mutable || op.inputs()[i].inplace >= 0;
      const bool copy = may_write && !(inplace_form && op.inputs()[i].inplace >= 0);
      call_.inputs.push_back(CustomInput<PaddleTensor>(
          op.inputs()[i], arguments[i], [&](const at::Tensor& tensor) { return Plain(tensor, copy); }));
    }
    call_.attributes = CustomAttributes(op, arguments);
    for (const CustomTensor& output : op.outputs()) {
      if (output.inplace < 0) call_.outputs.emplace_back(op.ListSize(output, arguments));
    }
  }

  std::vector<IValue> Run() {
    const auto& kernel = op_.info().kernel;
    std::vector<PaddleTensor> returned = kernel.run(call_);
    if (kernel.returns) Distribute(std::move(returned));
    const CustomMetas metas = InferCustomMetas(op_, arguments_);
    std::vector<IValue> outputs;
    size_t plain = 0;
    for (size_t i = 0; i < metas.size(); ++i) {
      const CustomTensor& output = op_.outputs()[i];
      outputs.push_back(output.inplace >= 0 ? Overwritten(output)
                                            : Fresh(output, std::move(call_.outputs[plain++]), metas[i]));
    }
    return outputs;
  }

 private:
  // A tensor that the kernel may write is a copy, unless the call overwrites it.
  static PaddleTensor Plain(const at::Tensor& tensor, bool copy) {
    at::Tensor plain = tensor.resolve_conj().resolve_neg().contiguous();
    return Wrap(copy && plain.is_alias_of(tensor) ? plain.clone() : plain);
  }

  // What the kernel returns, to the outputs that overwrite nothing.
  void Distribute(std::vector<PaddleTensor> returned) {
    size_t expected = 0;
    for (const auto& output : call_.outputs) expected += output.size();
    PADDLE_ENFORCE(
        returned.size() == expected,
        errors::InvalidArgument(
            "the kernel returns %d tensors, expected %d for the declared outputs", returned.size(), expected));
    auto next = returned.begin();
    for (auto& output : call_.outputs) {
      for (PaddleTensor& tensor : output) tensor = std::move(*next++);
    }
  }

  // An argument that the kernel has written, or has replaced by another tensor.
  IValue Overwritten(const CustomTensor& output) {
    const std::vector<at::Tensor> targets = CustomTensorsOf(arguments_[output.inplace]);
    std::vector<at::Tensor> results = Tensors(call_.inputs[output.inplace]);
    PADDLE_ENFORCE(results.size() == targets.size(),
                   errors::InvalidArgument(
                       "the kernel gives %s %d tensors, expected %d", output.declared, results.size(), targets.size()));
    for (size_t i = 0; i < targets.size(); ++i) {
      CheckIs(output, results[i], ShapeOf(targets[i]), ToPhi(targets[i].scalar_type()));
      if (inplace_form_) {
        if (!results[i].is_same(targets[i])) targets[i].copy_(results[i]);
      } else {
        results[i] = Own(std::move(results[i]));
      }
    }
    return inplace_form_ ? arguments_[output.inplace] : Result(output, std::move(results));
  }

  IValue Fresh(const CustomTensor& output, std::vector<PaddleTensor> tensors, const std::vector<CustomMeta>& metas) {
    std::vector<at::Tensor> results;
    for (size_t i = 0; i < tensors.size(); ++i) {
      at::Tensor tensor = Unwrap(tensors[i]);
      if (!tensor.defined() && output.is_optional) continue;
      PADDLE_ENFORCE(tensor.defined(), errors::InvalidArgument("the kernel did not make output %s", output.declared));
      if (i < metas.size()) {
        DDim shape;
        for (const c10::SymInt& size : metas[i].shape) shape.push_back(size.guard_int(__FILE__, __LINE__));
        // -1 is a size that is known only from data
        for (int j = 0; j < std::min(shape.size(), static_cast<int>(tensor.dim())); ++j) {
          if (shape[j] == -1) shape[j] = tensor.size(j);
        }
        CheckIs(output, tensor, shape, metas[i].dtype);
      }
      results.push_back(Own(std::move(tensor)));
    }
    return Result(output, std::move(results));
  }

  void CheckIs(const CustomTensor& output, const at::Tensor& tensor, const DDim& shape, DataType dtype) const {
    PADDLE_ENFORCE(
        ShapeOf(tensor) == shape && ToPhi(tensor.scalar_type()) == dtype,
        errors::InvalidArgument("the kernel makes output %s with shape %s and data type %s, expected %s and %s by the "
                                "declared InferShape and InferDtype functions, or by the rules that hold without them",
                                output.declared,
                                ShapeOf(tensor),
                                ToPhi(tensor.scalar_type()),
                                shape,
                                dtype));
  }

  // A result of an operator is contiguous, and shares no memory with an argument or another result.
  at::Tensor Own(at::Tensor tensor) {
    tensor = tensor.contiguous();
    bool is_shared = false;
    const auto look = [&](const at::Tensor& other) { is_shared |= tensor.is_alias_of(other); };
    for (const IValue& argument : arguments_.slice(0, op_.inputs().size())) {
      for (const at::Tensor& other : CustomTensorsOf(argument)) look(other);
    }
    for (const at::Tensor& other : results_) look(other);
    if (is_shared) tensor = tensor.clone();
    results_.push_back(tensor);
    return tensor;
  }

  static IValue Result(const CustomTensor& output, std::vector<at::Tensor> tensors) {
    if (output.is_list) return c10::List<at::Tensor>(tensors);
    return tensors.empty() ? at::Tensor() : std::move(tensors[0]);
  }

  static std::vector<at::Tensor> Tensors(const InputOf<PaddleTensor>& input) {
    if (const auto* one = std::get_if<PaddleTensor>(&input)) return {Unwrap(*one)};
    if (const auto* list = std::get_if<std::vector<PaddleTensor>>(&input)) return Unwrap(*list);
    if (const auto* one = std::get_if<paddle::optional<PaddleTensor>>(&input)) {
      return *one ? std::vector{Unwrap(**one)} : std::vector<at::Tensor>();
    }
    const auto& list = std::get<paddle::optional<std::vector<PaddleTensor>>>(input);
    return list ? Unwrap(*list) : std::vector<at::Tensor>();
  }

  const CustomOp& op_;
  bool inplace_form_;
  at::ArrayRef<IValue> arguments_;
  paddle::detail::KernelCall call_;
  std::vector<at::Tensor> results_;
};

class CallKernel final : public c10::OperatorKernel {
 public:
  CallKernel(const CustomOp& op, bool inplace_form) : op_(op), inplace_form_(inplace_form) {}

  void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack* stack) {
    const std::vector<IValue> arguments = torch::jit::pop(*stack, op_.argument_count());
    const InferenceScope scope;
    c10::OptionalDeviceGuard guard;
    for (const IValue& argument : arguments) {
      for (const at::Tensor& tensor : CustomTensorsOf(argument)) {
        if (tensor.is_cpu() || guard.current_device()) continue;  // a number may be on the CPU, and come first
        guard.reset_device(tensor.device());
      }
    }
    try {
      if (inplace_form_) CheckCustomSharing(op_, arguments);
      CheckCustomGiven(op_, arguments);
      Invocation invocation(op_, inplace_form_, arguments);
      PushCustomResults(op_, inplace_form_, invocation.Run(), stack);
    } catch (const enforce::EnforceNotMet& error) {
      Rethrow(op_.qualified_name().c_str(), error);
    } catch (c10::Error& error) {
      error.add_context("In " + op_.qualified_name());
      throw;
    } catch (const std::runtime_error& error) {
      TORCH_CHECK(false, op_.qualified_name(), ": ", error.what());
    }
  }

 private:
  const CustomOp& op_;
  bool inplace_form_;
};

}  // namespace

torch::CppFunction CustomKernel(const CustomOp& op, bool inplace_form) {
  return torch::CppFunction::makeFromBoxedFunctor(std::make_unique<CallKernel>(op, inplace_form));
}

}  // namespace phi::torch_bridge
