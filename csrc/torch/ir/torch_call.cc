// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/exec/native_ops.h"
#include "torch/errors.h"
#include "torch/ir/call_arguments.h"
#include "torch/ir/tensor_io.h"
#include "torch/tensor_adapter.h"

// How `torch.call` runs: its target is called boxed, with a stack on which the constants are already.
namespace phi::torch_bridge {

namespace {

using ir::CallArgument;
using ir::Step;

at::Tensor OnMeta(const DenseTensor& tensor) {
  const auto options = at::TensorOptions().dtype(ToTorch(tensor.dtype())).device(at::kMeta);
  return at::empty_strided(Ref(tensor.dims()), Ref(tensor.strides()), options);
}

DenseTensorMeta MetaOf(const at::Tensor& tensor) {
  DenseTensorMeta meta;
  meta.dims = DDim(tensor.sizes().data(), tensor.dim());
  meta.strides = DDim(tensor.strides().data(), tensor.dim());
  meta.dtype = ToPhi(tensor.scalar_type());
  meta.contiguous = tensor.is_contiguous();
  meta.dense = meta.contiguous || tensor.is_non_overlapping_and_dense();
  return meta;
}

// Whether an argument that is a number may be one of floating point.
bool TakesFloat(const ir::PreparedCall& call, const CallArgument& operand) {
  const c10::Type& type = *call.target.schema().arguments()[operand.at].type();
  const bool is_optional = type.kind() == c10::TypeKind::OptionalType;
  const auto kind = is_optional ? type.expectRef<c10::OptionalType>().getElementType()->kind() : type.kind();
  return kind == c10::TypeKind::NumberType;
}

// The operands of a call, of which `tensor` makes torch tensors. False where a number is not known.
template <typename ToTensor, typename IsKnown>
bool Fill(const Step& step,
          const std::vector<DenseTensor>& tensors,
          const ToTensor& tensor,
          const IsKnown& is_known,
          torch::jit::Stack* stack,
          std::vector<at::Tensor>* given) {
  const auto& call = *static_cast<const ir::PreparedCall*>(step.state.get());
  *stack = call.stack;
  for (size_t i = 0; i < call.operands.size(); ++i) {
    const CallArgument& operand = call.operands[i];
    const ir::Slots& slots = step.inputs[i];
    if (slots.empty()) continue;
    if (operand.kind == CallArgument::Kind::Number || operand.kind == CallArgument::Kind::Numbers) {
      if (!is_known(slots[0])) return false;
      if (TakesFloat(call, operand) && tensors[slots[0]].dtype() == DataType::FLOAT64) {  // computed of sizes
        (*stack)[operand.at] = *tensors[slots[0]].data<double>();
        continue;
      }
      const std::vector<int64_t> values = ir::IntegersOf(tensors[slots[0]]);
      PADDLE_ENFORCE(operand.kind == CallArgument::Kind::Numbers || values.size() == 1,
                     errors::InvalidArgument("operand %d: expected one number, got %d", i, values.size()));
      (*stack)[operand.at] = operand.kind == CallArgument::Kind::Numbers ? c10::IValue(values) : c10::IValue(values[0]);
      continue;
    }
    std::vector<at::Tensor> made;
    for (const int slot : slots) {
      const at::Tensor one = slot < 0 ? at::Tensor() : tensor(tensors[slot]);
      made.push_back(!one.defined() || call.takes_strides ? one : one.contiguous());
    }
    given->insert(given->end(), made.begin(), made.end());
    (*stack)[operand.at] = ir::ToIValue(operand, made);
  }
  return true;
}

// One that shares memory with an argument gets its own: that of an argument is used again once nobody reads it.
at::Tensor Owned(const at::Tensor& tensor, const std::vector<at::Tensor>& given) {
  for (const at::Tensor& other : given) {
    if (other.defined() && tensor.is_alias_of(other)) return tensor.clone(at::MemoryFormat::Contiguous);
  }
  return Resolved(tensor);
}

void ExpectTensor(bool is_given, size_t result) {
  PADDLE_ENFORCE(is_given, errors::InvalidArgument("result %d: the operator gave no tensor", result));
}

// Calls the target, and calls `receive` for each tensor of its results, which is undefined where it gave none.
template <typename Receive>
void Call(const Step& step, torch::jit::Stack* stack, const std::vector<at::Tensor>& given, const Receive& receive) {
  const auto& call = *static_cast<const ir::PreparedCall*>(step.state.get());
  try {
    const at::AutoDispatchBelowADInplaceOrView no_autograd;
    const at::NoGradGuard no_grad;  // a few, such as oneDNN's layers, ask for this mode what to keep for a gradient
    call.target.callBoxed(stack);
  } catch (...) {
    RethrowOfTorch();
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    const ir::Slots& slots = step.outputs[i];
    const c10::IValue& value = stack->at(i);
    const std::vector<at::Tensor> tensors =
        value.isTensorList() ? value.toTensorVector() : std::vector<at::Tensor>{value.toTensor()};
    PADDLE_ENFORCE(
        tensors.size() == slots.size(),
        errors::InvalidArgument("result %d: expected a list of %d tensors, got %d", i, slots.size(), tensors.size()));
    for (size_t k = 0; k < slots.size(); ++k) {
      if (slots[k] < 0) continue;
      receive(i, slots[k], tensors[k].defined() ? Owned(tensors[k], given) : at::Tensor());
    }
  }
}

void RunCall(const Step& step, ir::ExecContext* context) {
  torch::jit::Stack stack;
  std::vector<at::Tensor> given;
  const auto tensor = [](const DenseTensor& t) { return ToTorch(t); };
  Fill(step, *context->tensors, tensor, [](int) { return true; }, &stack, &given);
  Call(step, &stack, given, [&](size_t result, int slot, at::Tensor made) {
    DenseTensor& out = context->tensor(slot);
    if (!made.defined()) {  // ATen says an empty one, as of what only a gradient would read
      ExpectTensor(context->is_planned(slot) && out.numel() == 0, result);
      made = at::empty(Ref(out.dims()), ToTorch(out.dtype()));
    }
    if (context->is_planned(slot)) {
      PADDLE_ENFORCE(made.sizes() == Ref(out.dims()) && ToPhi(made.scalar_type()) == out.dtype(),
                     errors::InvalidArgument("the operator gave %s, but says %s of these arguments",
                                             ir::TypeText(ToPhi(made.scalar_type()), made.sizes()),
                                             ir::TypeText(out.dtype(), out.dims())));
      if (made.strides() != Ref(out.strides())) {
        made = at::empty_strided(Ref(out.dims()), Ref(out.strides()), made.options()).copy_(made);
      }
    }
    out = ToPhi(made);
  });
}

// Whether ATen's function for meta tensors says of some results no more than that they are there.
bool IsVague(const Step& step) {
  const std::string& name = static_cast<const ir::PreparedCall*>(step.state.get())->target.schema().name();
  return name == "aten::_embedding_bag" || name == "aten::_embedding_bag_forward_only" || name == "aten::embedding_bag";
}

// What is made of no tensor is made nowhere either: a random one would be drawn, and the next one would be another.
void MakeOnMeta(const Step& step, torch::jit::Stack* stack) {
  const auto& arguments = static_cast<const ir::PreparedCall*>(step.state.get())->target.schema().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name() == "device") (*stack)[i] = at::Device(at::kMeta);
  }
}

std::optional<std::vector<DenseTensorMeta>> InferCall(const Step& step,
                                                      const std::vector<DenseTensor>& tensors,
                                                      const std::function<bool(int slot)>& is_known) {
  if (IsVague(step)) return std::nullopt;
  if (step.outputs.empty()) return std::vector<DenseTensorMeta>();  // it prints or asserts, which is for runs
  torch::jit::Stack stack;
  std::vector<at::Tensor> given;
  std::vector<DenseTensorMeta> metas;
  for (const ir::Slots& slots : step.outputs) metas.resize(metas.size() + slots.size());
  const std::vector<DataType>& dtypes = static_cast<const ir::PreparedCall*>(step.state.get())->dtypes;
  try {
    if (!Fill(step, tensors, &OnMeta, is_known, &stack, &given)) return std::nullopt;
    MakeOnMeta(step, &stack);
    Call(step, &stack, given, [&](size_t result, int slot, const at::Tensor& made) {
      ExpectTensor(made.defined(), result);
      size_t at = 0;
      for (const ir::Slots& slots : step.outputs) {
        for (const int other : slots) {
          if (other == slot) {
            metas[at] = MetaOf(made);
            // The dtype may depend on the device: a layer norm of bfloat16 has its mean in float32 there, not here.
            if (at < dtypes.size() && dtypes[at] != DataType::UNDEFINED) metas[at].dtype = dtypes[at];
          }
          ++at;
        }
      }
    });
  } catch (const std::exception&) {  // there is no function for meta tensors, or a run says what is wrong
    return std::nullopt;
  }
  return metas;
}

std::shared_ptr<void> PrepareCall(const ir::Operation& op) {
  return std::make_shared<ir::PreparedCall>(ir::PrepareCall(op));
}

[[maybe_unused]] const bool registered = ir::RegisterNativeOp({"torch.call", &RunCall, &PrepareCall, &InferCall});

}  // namespace

}  // namespace phi::torch_bridge
