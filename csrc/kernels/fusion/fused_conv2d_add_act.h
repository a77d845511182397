// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/all_context.h"
#include "common/optional.h"
#include "kernels/conv2d_grad_kernel.h"
#include "kernels/conv2d_kernel.h"
#include "kernels/funcs/activation.h"
#include "kernels/funcs/broadcast_grad.h"
#include "kernels/funcs/conv_params.h"
#include "kernels/math/add.h"
#include "primitive/elementwise.h"
#include "primitive/fill.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

namespace fusion {

// out = activation(out + bias + residual), of images, in one pass over memory.
template <typename T, typename Context>
void AddActivate(const Context& dev_ctx,
                 const paddle::optional<DenseTensor>& bias,
                 const paddle::optional<DenseTensor>& residual,
                 const funcs::Activation& activation,
                 bool channels_last,
                 DenseTensor* out) {
  const int64_t channels = out->dims()[channels_last ? 3 : 1];
  DenseTensor zero;
  if (!bias) {
    zero.Resize({1});
    dev_ctx.template Alloc<T>(&zero);
    primitive::FillWith(dev_ctx, Scalar(0), &zero);
  }
  const DDim dims = channels_last ? DDim{channels} : DDim{channels, 1, 1};
  const DenseTensor shift = bias ? primitive::ViewOf(*bias, dims) : zero;
  const funcs::AddActivate functor{activation};
  if (residual) {
    primitive::Map<T>(dev_ctx, out, functor, *out, shift, *residual);
  } else if (bias || activation.kind != funcs::Activation::Kind::kIdentity) {
    primitive::Map<T>(dev_ctx, out, functor, *out, shift);
  }
}

// The parts of `whole` along its channels.
template <typename Context>
void CutChannels(const Context& dev_ctx,
                 const DenseTensor& whole,
                 bool channels_last,
                 const std::vector<DenseTensor*>& parts) {
  const int axis = channels_last ? 3 : 1;
  int64_t first = 0;
  for (DenseTensor* part : parts) {
    primitive::Copy(
        dev_ctx, primitive::ViewOf(whole, part->dims(), whole.strides(), first * whole.strides()[axis]), part);
    first += part->dims()[axis];
  }
}

// Adds to `whole` along its channels what is for the parts.
template <typename T, typename Context>
void AddToChannels(const Context& dev_ctx,
                   const std::vector<const DenseTensor*>& parts,
                   bool channels_last,
                   DenseTensor* whole) {
  const int axis = channels_last ? 3 : 1;
  int64_t first = 0;
  for (const DenseTensor* part : parts) {
    DenseTensor view = primitive::ViewOf(*whole, part->dims(), whole->strides(), first * whole->strides()[axis]);
    primitive::Map<T>(dev_ctx, &view, AddFunctor(), view, *part);
    first += part->dims()[axis];
  }
}

// The gradient of the convolution: those of the result and of its parts, through the activation. `convolve` computes
// what the activation is of. Null gradients are not computed.
template <typename T, typename Context, typename Convolve>
DenseTensor AddActivateGrad(const Context& dev_ctx,
                            const DenseTensor& output,
                            const DenseTensor& output_grad,
                            const std::vector<const DenseTensor*>& outputs_grad,
                            const funcs::Activation& activation,
                            bool channels_last,
                            const Convolve& convolve,
                            DenseTensor* bias_grad,
                            DenseTensor* residual_grad) {
  DenseTensor grad = output_grad;
  if (!outputs_grad.empty()) {
    grad = primitive::EmptyTensor<T>(dev_ctx, output.dims());
    primitive::Copy(dev_ctx, output_grad, &grad);
    AddToChannels<T>(dev_ctx, outputs_grad, channels_last, &grad);
  }
  if (residual_grad) dev_ctx.template Alloc<T>(residual_grad);
  if (activation.kind != funcs::Activation::Kind::kIdentity) {
    DenseTensor before = output;
    if (funcs::NeedsInput(activation)) {
      before = primitive::EmptyTensor<T>(dev_ctx, output.dims());
      convolve(&before);
    }
    DenseTensor result = residual_grad ? *residual_grad : primitive::EmptyTensor<T>(dev_ctx, output.dims());
    primitive::Map<T>(dev_ctx, &result, funcs::ActivationGrad{activation}, before, grad);
    grad = result;
  } else if (residual_grad) {
    primitive::Copy(dev_ctx, grad, residual_grad);
  }
  if (bias_grad) {
    const int64_t channels = output.dims()[channels_last ? 3 : 1];
    const DDim dims = channels_last ? DDim{1, 1, 1, channels} : DDim{1, channels, 1, 1};
    funcs::SumBroadcast(dev_ctx, grad, dims, output.dtype(), bias_grad);
  }
  return grad;
}

}  // namespace fusion

// activation(conv2d(input, filter) + bias + residual_data): the convolution, then all that is added in one pass.
template <typename T, typename Context>
void FusedConv2dAddActKernel(const Context& dev_ctx,
                             const DenseTensor& input,
                             const DenseTensor& filter,
                             const paddle::optional<DenseTensor>& bias,
                             const paddle::optional<DenseTensor>& residual_data,
                             const std::vector<int>& strides,
                             const std::vector<int>& paddings,
                             const std::string& padding_algorithm,
                             const std::vector<int>& dilations,
                             int groups,
                             const std::string& data_format,
                             const std::string& activation,
                             const std::vector<int>& split_channels,
                             bool exhaustive_search,
                             int workspace_size_MB,
                             float fuse_alpha,
                             DenseTensor* output,
                             std::vector<DenseTensor*> outputs) {
  const bool channels_last = data_format == "NHWC";
  const auto convolve = FindPrimitive<primitive::Convolution>(PlaceToBackend(dev_ctx.GetPlace()), input.dtype());
  const bool is_empty = input.numel() == 0 || filter.numel() == 0 || output->numel() == 0;
  if (std::is_same_v<Context, GPUContext> && convolve && !is_empty) {  // a GPU's library convolves
    const primitive::ConvParams params = funcs::MakeConvParams(
        input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
    // the library's result is copied: `output` may be a view of channels_last images
    dev_ctx.template Alloc<T>(output);
    convolve(dev_ctx, input, filter, params, output);
  } else {
    Conv2dKernel<T, Context>(
        dev_ctx, input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format, output);
  }
  const funcs::Activation last = funcs::MakeActivation(activation, fuse_alpha);
  fusion::AddActivate<T>(dev_ctx, bias, residual_data, last, channels_last, output);
  fusion::CutChannels(dev_ctx, *output, channels_last, outputs);
}

template <typename T, typename Context>
void FusedConv2dAddActGradKernel(const Context& dev_ctx,
                                 const DenseTensor& input,
                                 const DenseTensor& filter,
                                 const paddle::optional<DenseTensor>& bias,
                                 const paddle::optional<DenseTensor>& residual_data,
                                 const DenseTensor& output,
                                 const DenseTensor& output_grad,
                                 const std::vector<const DenseTensor*>& outputs_grad,
                                 const std::vector<int>& strides,
                                 const std::vector<int>& paddings,
                                 const std::string& padding_algorithm,
                                 const std::vector<int>& dilations,
                                 int groups,
                                 const std::string& data_format,
                                 const std::string& activation,
                                 const std::vector<int>& split_channels,
                                 float fuse_alpha,
                                 DenseTensor* input_grad,
                                 DenseTensor* filter_grad,
                                 DenseTensor* bias_grad,
                                 DenseTensor* residual_data_grad) {
  const auto convolve = [&](DenseTensor* before) {
    FusedConv2dAddActKernel<T, Context>(dev_ctx,
                                        input,
                                        filter,
                                        bias,
                                        residual_data,
                                        strides,
                                        paddings,
                                        padding_algorithm,
                                        dilations,
                                        groups,
                                        data_format,
                                        "identity",
                                        {},
                                        false,
                                        0,
                                        0,
                                        before,
                                        {});
  };
  const DenseTensor grad = fusion::AddActivateGrad<T>(dev_ctx,
                                                      output,
                                                      output_grad,
                                                      outputs_grad,
                                                      funcs::MakeActivation(activation, fuse_alpha),
                                                      data_format == "NHWC",
                                                      convolve,
                                                      bias_grad,
                                                      residual_data_grad);
  if (!input_grad && !filter_grad) return;
  const auto library = FindPrimitive<primitive::ConvolutionGrad>(PlaceToBackend(dev_ctx.GetPlace()), input.dtype());
  const bool is_empty = input.numel() == 0 || filter.numel() == 0 || output.numel() == 0;
  if (std::is_same_v<Context, GPUContext> && library && !is_empty) {  // as above
    const primitive::ConvParams params = funcs::MakeConvParams(
        input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
    if (input_grad) dev_ctx.template Alloc<T>(input_grad);
    library(dev_ctx, input, filter, grad, params, input_grad, filter_grad);
  } else {
    Conv2dGradKernel<T, Context>(dev_ctx,
                                 input,
                                 filter,
                                 grad,
                                 strides,
                                 paddings,
                                 padding_algorithm,
                                 dilations,
                                 groups,
                                 data_format,
                                 input_grad,
                                 filter_grad);
  }
}

}  // namespace phi
