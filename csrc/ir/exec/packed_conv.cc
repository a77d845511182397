// SPDX-License-Identifier: Apache-2.0
#include <mutex>

#include "infermeta/functions.h"
#include "ir/core/builtin_attribute.h"
#include "ir/exec/kernel_argument.h"
#include "ir/exec/native_ops.h"
#include "kernels/funcs/conv_params.h"
#include "primitive/packed_convolution.h"

// How machine.packed_conv2d and machine.winograd_conv2d run: by primitives, which get the filter in an order of their
// own. It is brought to that order for the first images that come.
namespace phi::ir {

namespace {

struct PackedConv {
  std::vector<int> strides, paddings, dilations;
  std::string padding_algorithm, activation;
  int64_t groups;
  float alpha;
  std::once_flag once;
  std::shared_ptr<void> filter;
};

template <typename T>
T Argument(const Operation& op, const char* name, AttributeType type) {
  return std::get<T>(KernelArgument(type, op.attribute(name)));
}

std::shared_ptr<void> Prepare(const Operation& op) {
  PADDLE_ENFORCE(op.num_operands() == 4 && op.num_results() == 1 && op.operand(0),
                 errors::InvalidArgument("expected images, a filter, a bias and a residual, and a result"));
  const Operation* weight = op.operand(1) ? op.operand(1).defining_op() : nullptr;
  PADDLE_ENFORCE(weight != nullptr && weight->name() == "builtin.parameter",
                 errors::InvalidArgument("operand 'filter': expected a weight, which is packed once"));
  auto conv = std::make_shared<PackedConv>();
  conv->strides = Argument<std::vector<int>>(op, "strides", AttributeType::INT32S);
  conv->paddings = Argument<std::vector<int>>(op, "paddings", AttributeType::INT32S);
  conv->dilations = Argument<std::vector<int>>(op, "dilations", AttributeType::INT32S);
  conv->padding_algorithm = Argument<std::string>(op, "padding_algorithm", AttributeType::STRING);
  conv->activation = Argument<std::string>(op, "activation", AttributeType::STRING);
  conv->groups = Argument<int64_t>(op, "groups", AttributeType::INT64);
  conv->alpha = static_cast<float>(Argument<double>(op, "fuse_alpha", AttributeType::FLOAT64));
  PADDLE_ENFORCE(!op.operand(3) || conv->activation == "identity" || conv->activation == "relu",
                 errors::InvalidArgument("attribute 'activation': expected 'identity' or 'relu' with 'residual_data', "
                                         "got '%s'",
                                         conv->activation));
  return conv;
}

const DenseTensor* Operand(const Step& step, const std::vector<DenseTensor>& tensors, size_t i) {
  return step.inputs[i].empty() || step.inputs[i][0] < 0 ? nullptr : &tensors[step.inputs[i][0]];
}

MetaTensor<int64_t> MetaOf(const DenseTensor* tensor) {
  return tensor != nullptr ? MetaTensor<int64_t>(*tensor) : MetaTensor<int64_t>();
}

// The result, with the channels last in memory.
DenseTensorMeta ResultOf(const Step& step, const std::vector<DenseTensor>& tensors) {
  const auto& conv = *static_cast<const PackedConv*>(step.state.get());
  DenseTensor out;
  MetaTensor<int64_t> meta(&out);
  FusedConv2dAddActInferMeta<int64_t>(MetaOf(Operand(step, tensors, 0)),
                                      MetaOf(Operand(step, tensors, 1)),
                                      MetaOf(Operand(step, tensors, 2)),
                                      MetaOf(Operand(step, tensors, 3)),
                                      conv.strides,
                                      conv.paddings,
                                      conv.padding_algorithm,
                                      conv.dilations,
                                      conv.groups,
                                      "NCHW",
                                      conv.activation,
                                      {},
                                      &meta,
                                      {});
  SetChannelsLast(DDim(out.dims()), &meta);
  return out.meta();
}

std::optional<std::vector<DenseTensorMeta>> Infer(const Step& step,
                                                  const std::vector<DenseTensor>& tensors,
                                                  const std::function<bool(int slot)>&) {
  return std::vector<DenseTensorMeta>{ResultOf(step, tensors)};
}

template <typename PackFilter, typename Convolution>
void Run(const Step& step, ExecContext* context) {
  auto& conv = *static_cast<PackedConv*>(step.state.get());
  const std::vector<DenseTensor>& tensors = *context->tensors;
  const DenseTensor &images = *Operand(step, tensors, 0), &filter = *Operand(step, tensors, 1);
  DenseTensor& out = context->tensor(step.outputs[0][0]);
  out = DenseTensor(ResultOf(step, tensors), context->context->GetPlace());
  const primitive::ConvParams params = funcs::MakeConvParams(images.dims(),
                                                             filter.dims(),
                                                             conv.strides,
                                                             conv.paddings,
                                                             conv.padding_algorithm,
                                                             conv.dilations,
                                                             static_cast<int>(conv.groups),
                                                             "NCHW");
  const auto& pads = params.paddings;
  PADDLE_ENFORCE(pads[0] == pads[1] && pads[2] == pads[3],
                 errors::InvalidArgument("expected the same paddings on both sides, got %s", DDim(pads)));
  const auto pack = GetPrimitive<PackFilter>(*context->context, filter.dtype());
  const auto convolve = GetPrimitive<Convolution>(*context->context, images.dtype());
  if (out.numel() == 0) return static_cast<void>(context->context->Alloc(&out, out.dtype()));
  std::call_once(conv.once, [&] { conv.filter = pack(*context->context, filter, params, images.dims()); });
  convolve(*context->context,
           images,
           conv.filter.get(),
           params,
           {Operand(step, tensors, 2), Operand(step, tensors, 3), conv.activation, conv.alpha},
           &out);
}

[[maybe_unused]] const bool registered =
    RegisterNativeOp(
        {"machine.packed_conv2d", &Run<primitive::PackFilter, primitive::PackedConvolution>, &Prepare, &Infer}) &&
    RegisterNativeOp(
        {"machine.winograd_conv2d", &Run<primitive::WinogradFilter, primitive::WinogradConvolution>, &Prepare, &Infer});

}  // namespace

}  // namespace phi::ir
