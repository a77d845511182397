// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>

#include "primitive/packed_convolution.h"
#include "torch/inference_scope.h"
#include "torch/tensor_adapter.h"

// oneDNN's convolutions by the operators that torch has for Inductor. They are called boxed, since no header declares
// them, and a torch without oneDNN has none.
namespace phi::primitive {

namespace {

using c10::IValue;
using torch_bridge::Borrow;
using torch_bridge::Ref;

// Null where torch has no such operator, or one with other arguments.
const c10::OperatorHandle* Operator(const char* name, const char* overload, size_t arguments) {
  const auto found = c10::Dispatcher::singleton().findSchema({name, overload});
  if (!found || found->schema().arguments().size() != arguments) return nullptr;
  return new c10::OperatorHandle(*found);
}

struct Operators {
  const c10::OperatorHandle* pack = Operator("mkldnn::_reorder_convolution_weight", "", 6);
  const c10::OperatorHandle* convolve = Operator("mkldnn::_convolution_pointwise", "", 10);
  const c10::OperatorHandle* convolve_add = Operator("mkldnn::_convolution_pointwise", "binary", 13);
};

const Operators& All() {
  static const Operators all;
  return all;
}

at::Tensor Call(const c10::OperatorHandle& op, torch::jit::Stack stack) {
  const torch_bridge::InferenceScope scope;
  op.callBoxed(&stack);
  return std::move(stack.at(0)).toTensor();
}

std::vector<int64_t> Begins(const ConvParams& params) { return {params.paddings[0], params.paddings[2]}; }

std::shared_ptr<void> Pack(const DeviceContext&,
                           const DenseTensor& filter,
                           const ConvParams& params,
                           const DDim& images) {
  const at::Tensor given = torch_bridge::ToTorch(filter);
  torch::jit::Stack stack = {given, Begins(params), params.strides, params.dilations, params.groups, vectorize(images)};
  return std::make_shared<at::Tensor>(Call(*All().pack, std::move(stack)));
}

void Convolve(const DeviceContext&,
              const DenseTensor& images,
              const void* filter,
              const ConvParams& params,
              const PixelSteps& steps,
              DenseTensor* out) {
  const at::Tensor& packed = *static_cast<const at::Tensor*>(filter);
  const std::optional<at::Tensor> bias =
      steps.bias ? std::optional(torch_bridge::ToTorch(*steps.bias).view(-1)) : std::nullopt;
  torch::jit::Stack stack = {torch_bridge::ToTorch(images)};
  if (steps.residual) stack.emplace_back(torch_bridge::ToTorch(*steps.residual));
  torch::jit::push(stack, packed, bias, Begins(params), params.strides, params.dilations, params.groups);
  c10::List<std::optional<at::Scalar>> scalars;
  at::Tensor result;
  if (steps.residual) {
    const IValue last = steps.activation == "relu" ? IValue("relu") : IValue();
    torch::jit::push(stack, "add", at::Scalar(1.0), last, scalars, IValue());
    result = Call(*All().convolve_add, std::move(stack));
  } else {
    if (steps.activation == "leaky_relu") scalars.push_back(at::Scalar(steps.alpha));
    torch::jit::push(stack, steps.activation == "identity" ? "none" : steps.activation, scalars, IValue(""));
    result = Call(*All().convolve, std::move(stack));
  }
  const DenseTensorMeta meta = out->meta();
  *out = torch_bridge::ToPhi(result.contiguous(at::MemoryFormat::ChannelsLast));
  out->set_meta(meta);  // strides of dimensions of one element may differ
}

[[maybe_unused]] const bool packed_conv_registered = [] {
  const Operators& all = All();
  if (all.pack == nullptr || all.convolve == nullptr || all.convolve_add == nullptr) return false;
  return RegisterPrimitive<PackFilter>(Backend::CPU, &Pack, DataType::FLOAT32) &&
         RegisterPrimitive<PackedConvolution>(Backend::CPU, &Convolve, DataType::FLOAT32);
}();

}  // namespace

}  // namespace phi::primitive
