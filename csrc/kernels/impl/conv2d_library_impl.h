// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv2d_grad_kernel.h"
#include "kernels/conv2d_kernel.h"
#include "kernels/funcs/conv_params.h"

// Convolution by oneDNN or cuDNN: kernels of the backends ONEDNN and GPUDNN.
namespace phi {

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
  const funcs::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  funcs::Convolution(dev_ctx, input, filter, params, out);
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
  const funcs::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  funcs::ConvolutionGrad(dev_ctx, input, filter, out_grad, params, input_grad, filter_grad);
}

}  // namespace phi
