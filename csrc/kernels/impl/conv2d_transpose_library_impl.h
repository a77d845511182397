// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv2d_transpose_grad_kernel.h"
#include "kernels/conv2d_transpose_kernel.h"
#include "kernels/funcs/conv_params.h"

// Transposed convolution by oneDNN or cuDNN: kernels of the backends ONEDNN and GPUDNN.
namespace phi {

template <typename T, typename Context>
void Conv2dTransposeLibraryKernel(const Context& dev_ctx,
                                  const DenseTensor& x,
                                  const DenseTensor& filter,
                                  const std::vector<int>& strides,
                                  const std::vector<int>& paddings,
                                  const std::vector<int>& output_padding,
                                  const IntArray& output_size,
                                  const std::string& padding_algorithm,
                                  int groups,
                                  const std::vector<int>& dilations,
                                  const std::string& data_format,
                                  DenseTensor* out) {
  const funcs::ConvParams params = funcs::MakeConvTransposeParams(
      x.dims(), filter.dims(), out->dims(), strides, paddings, padding_algorithm, groups, dilations, data_format);
  funcs::Convolution(dev_ctx, x, filter, params, out);
}

template <typename T, typename Context>
void Conv2dTransposeGradLibraryKernel(const Context& dev_ctx,
                                      const DenseTensor& x,
                                      const DenseTensor& filter,
                                      const DenseTensor& out_grad,
                                      const IntArray& output_size,
                                      const std::vector<int>& strides,
                                      const std::vector<int>& paddings,
                                      const std::vector<int>& output_padding,
                                      const std::string& padding_algorithm,
                                      int groups,
                                      const std::vector<int>& dilations,
                                      const std::string& data_format,
                                      DenseTensor* x_grad,
                                      DenseTensor* filter_grad) {
  const funcs::ConvParams params = funcs::MakeConvTransposeParams(
      x.dims(), filter.dims(), out_grad.dims(), strides, paddings, padding_algorithm, groups, dilations, data_format);
  funcs::ConvolutionGrad(dev_ctx, x, filter, out_grad, params, x_grad, filter_grad);
}

}  // namespace phi
