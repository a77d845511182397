// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/all_context.h"
#include "common/optional.h"
#include "kernels/conv2d_kernel.h"
#include "kernels/funcs/activation.h"
#include "kernels/funcs/conv_params.h"
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

}  // namespace phi
