// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "common/optional.h"
#include "kernels/funcs/conv_params.h"
#include "kernels/funcs/conv_product.h"
#include "kernels/funcs/direct_conv.h"
#include "primitive/memset.h"

// The convolutions of the backends ONEDNN and GPUDNN: the primitives Convolution and ConvolutionGrad, which are
// torch's. Torch in turn calls oneDNN or cuDNN, or a kernel of its own where these take no such shape or are slower.
// On the CPU small images are convolved here. Without the flags use_onednn and use_cudnn the kernels of kernels/conv/
// run, which multiply matrices.
namespace phi {

namespace detail {

// Libraries refuse images and filters without elements, whose convolution and gradients are zeros: true if they are
// set.
template <typename T, typename Context>
bool ConvolveNothing(const Context& dev_ctx,
                     const DenseTensor& input,
                     const DenseTensor& filter,
                     const DenseTensor& out,
                     std::initializer_list<DenseTensor*> results) {
  if (input.numel() != 0 && filter.numel() != 0 && out.numel() != 0) return false;
  for (DenseTensor* result : results) {
    if (result == nullptr) continue;
    dev_ctx.template Alloc<T>(result);
    primitive::SetZero(dev_ctx, result);
  }
  return true;
}

// The convolution by what is faster for its sizes; false if `epilogue` has not been done with it.
template <typename Context>
bool Convolve(const Context& dev_ctx,
              const DenseTensor& input,
              const DenseTensor& filter,
              const primitive::ConvParams& params,
              const funcs::ConvEpilogue& epilogue,
              DenseTensor* out) {
  if constexpr (std::is_base_of_v<CPUContext, Context>) {
    if (funcs::IsConvProduct(input, filter, *out, params)) {
      funcs::ConvProduct(dev_ctx, input, filter, params.groups, out);
      return false;
    }
    if (funcs::IsForDirectConv(input, filter, *out, params, epilogue)) {
      funcs::DirectConv(dev_ctx, input, filter, params, epilogue, out);
      return true;
    }
  }
  GetPrimitive<primitive::Convolution>(dev_ctx, input.dtype())(dev_ctx, input, filter, params, out);
  return false;
}

// The gradients, by what is faster: that of a convolution's input is a transposed convolution, and the other way round.
template <typename Context>
void ConvolveGrad(const Context& dev_ctx,
                  const DenseTensor& input,
                  const DenseTensor& filter,
                  const DenseTensor& out_grad,
                  const primitive::ConvParams& params,
                  DenseTensor* input_grad,
                  DenseTensor* filter_grad) {
  if constexpr (std::is_base_of_v<CPUContext, Context>) {
    primitive::ConvParams adjoint = params;
    adjoint.transposed = !params.transposed;
    if (input_grad && funcs::IsForDirectConv(out_grad, filter, *input_grad, adjoint, {})) {
      funcs::DirectConv(dev_ctx, out_grad, filter, adjoint, {}, input_grad);
      input_grad = nullptr;
    }
  }
  if (!input_grad && !filter_grad) return;
  GetPrimitive<primitive::ConvolutionGrad>(dev_ctx, input.dtype())(
      dev_ctx, input, filter, out_grad, params, input_grad, filter_grad);
}

}  // namespace detail

template <typename T, typename Context>
void Conv2dLibraryKernel(const Context& dev_ctx,
                         const DenseTensor& input,
                         const DenseTensor& filter,
                         const std::vector<int>& strides,
                         const std::vector<int>& paddings,
                         const std::string& padding_algorithm,
                         const std::vector<int>& dilations,
                         int groups,
                         const std::string& data_format,
                         DenseTensor* out) {
  if (detail::ConvolveNothing<T>(dev_ctx, input, filter, *out, {out})) return;
  const primitive::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  detail::Convolve(dev_ctx, input, filter, params, {}, out);
}

template <typename T, typename Context>
void Conv2dGradLibraryKernel(const Context& dev_ctx,
                             const DenseTensor& input,
                             const DenseTensor& filter,
                             const DenseTensor& out_grad,
                             const std::vector<int>& strides,
                             const std::vector<int>& paddings,
                             const std::string& padding_algorithm,
                             const std::vector<int>& dilations,
                             int groups,
                             const std::string& data_format,
                             DenseTensor* input_grad,
                             DenseTensor* filter_grad) {
  if (detail::ConvolveNothing<T>(dev_ctx, input, filter, out_grad, {input_grad, filter_grad})) return;
  const primitive::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  detail::ConvolveGrad(dev_ctx, input, filter, out_grad, params, input_grad, filter_grad);
}

// Of volumes: the functions above take any number of axes.
template <typename T, typename Context>
void Conv3dLibraryKernel(const Context& dev_ctx,
                         const DenseTensor& input,
                         const DenseTensor& filter,
                         const std::vector<int>& strides,
                         const std::vector<int>& paddings,
                         const std::string& padding_algorithm,
                         int groups,
                         const std::vector<int>& dilations,
                         const std::string& data_format,
                         DenseTensor* out) {
  Conv2dLibraryKernel<T>(
      dev_ctx, input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format, out);
}

template <typename T, typename Context>
void Conv3dGradLibraryKernel(const Context& dev_ctx,
                             const DenseTensor& input,
                             const DenseTensor& filter,
                             const DenseTensor& out_grad,
                             const std::vector<int>& strides,
                             const std::vector<int>& paddings,
                             const std::string& padding_algorithm,
                             int groups,
                             const std::vector<int>& dilations,
                             const std::string& data_format,
                             DenseTensor* input_grad,
                             DenseTensor* filter_grad) {
  Conv2dGradLibraryKernel<T>(dev_ctx,
                             input,
                             filter,
                             out_grad,
                             strides,
                             paddings,
                             padding_algorithm,
                             dilations,
                             groups,
                             data_format,
                             input_grad,
                             filter_grad);
}

}  // namespace phi
