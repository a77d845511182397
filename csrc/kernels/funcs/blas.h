// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "core/device_context.h"

// Dense linear algebra and convolution by the libraries that torch carries (MKL, oneDNN, cuBLAS, cuDNN).
// Implemented in csrc/torch/, for every device; all tensors live on the context's device. `out` has its meta.
namespace phi::funcs {

// out = op(x) @ op(y) as numpy.matmul: the leading dimensions broadcast; op transposes the last two dimensions.
void MatMul(const DeviceContext& ctx, const DenseTensor& x, bool trans_x, const DenseTensor& y, bool trans_y, DenseTensor* out);

struct ConvParams {
  std::vector<int64_t> strides;
  std::vector<int64_t> paddings;  // one per spatial dimension, the same on both sides
  std::vector<int64_t> dilations;
  int64_t groups = 1;
};

// NCHW convolution (cross-correlation) by oneDNN or cuDNN.
void Convolution(const DeviceContext& ctx, const DenseTensor& input, const DenseTensor& filter, const ConvParams& params, DenseTensor* out);
// Its gradients; a null output is not computed.
void ConvolutionGrad(const DeviceContext& ctx,
                     const DenseTensor& input,
                     const DenseTensor& filter,
                     const DenseTensor& out_grad,
                     const ConvParams& params,
                     DenseTensor* input_grad,
                     DenseTensor* filter_grad);

}  // namespace phi::funcs
