// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/device_context.h"

// Dense linear algebra and convolution by the libraries that torch carries (MKL, oneDNN, cuBLAS, cuDNN).
// Implemented in csrc/torch/, for every device; all tensors live on the context's device. `out` has its meta.
namespace phi::funcs {

struct MatMulOptions {
  bool conj_x = false;
  bool conj_y = false;
  bool accumulate = false;  // add to what is in `out`
};

// out = op(x) @ op(y) as numpy.matmul: the leading dimensions broadcast; op transposes the last two dimensions, and
// does nothing to a vector. x and y may have any strides; out is contiguous, and is allocated if it has no memory.
// May be called from several threads when `out` is allocated.
void MatMul(const DeviceContext& ctx,
            const DenseTensor& x,
            bool trans_x,
            const DenseTensor& y,
            bool trans_y,
            DenseTensor* out,
            const MatMulOptions& options = {});

// What a convolution over two spatial dimensions needs. The filter is [out_channels, in_channels / groups, h, w]; that
// of a transposed convolution, which computes what the gradient of a convolution's input is, the other way round.
struct ConvParams {
  std::vector<int64_t> strides;
  std::vector<int64_t> paddings;  // before and after each spatial dimension: top, bottom, left, right
  std::vector<int64_t> dilations;
  int64_t groups = 1;
  bool transposed = false;
  std::vector<int64_t> output_padding = {0, 0};  // of a transposed one: rows and columns more than it needs
  bool channels_last = false;  // input and output are [batch, h, w, channels], otherwise [batch, channels, h, w]
};

// The convolution (cross-correlation) of oneDNN or cuDNN.
void Convolution(const DeviceContext& ctx,
                 const DenseTensor& input,
                 const DenseTensor& filter,
                 const ConvParams& params,
                 DenseTensor* out);
// Its gradients; a null output is not computed.
void ConvolutionGrad(const DeviceContext& ctx,
                     const DenseTensor& input,
                     const DenseTensor& filter,
                     const DenseTensor& out_grad,
                     const ConvParams& params,
                     DenseTensor* input_grad,
                     DenseTensor* filter_grad);

}  // namespace phi::funcs
