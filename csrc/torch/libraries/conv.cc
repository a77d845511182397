// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <c10/util/DimVector.h>

#include <algorithm>

#include "primitive/convolution.h"
#include "torch/inference_scope.h"
#include "torch/out_tensor.h"

namespace phi::primitive {

namespace {

using torch_bridge::ToTorch;

at::Tensor ToChannelsFirst(const at::Tensor& tensor, const ConvParams& params) {
  return params.channels_last ? tensor.movedim(-1, 1) : tensor;
}

// As the output's meta says, without a copy where the library's result is so.
void Assign(DenseTensor* out, const at::Tensor& channels_first, const ConvParams& params) {
  const at::Tensor result = params.channels_last ? channels_first.movedim(1, -1) : channels_first;
  torch_bridge::AssignResult(out, result);
}

// torch pads a dimension alike on both sides: what is more on one side is put around the input before. What pads the
// input of a convolution cuts the output of a transposed one.
struct Padding {
  c10::DimVector common;
  c10::DimVector extra;  // left, right, top, bottom: the last dimension first, as at::constant_pad_nd
  bool is_symmetric = true;

  explicit Padding(const std::vector<int64_t>& paddings) {
    for (size_t i = 0; i < paddings.size(); i += 2) {
      const int64_t before = paddings[i], after = paddings[i + 1], both = std::min(before, after);
      common.push_back(both);
      extra.insert(extra.begin(), {before - both, after - both});
      is_symmetric = is_symmetric && before == after;
    }
  }

  at::Tensor Pad(const at::Tensor& input) const { return is_symmetric ? input : at::constant_pad_nd(input, extra); }
  at::Tensor Unpad(at::Tensor padded) const {
    for (size_t i = 0; i < extra.size() && !is_symmetric; i += 2) {
      const int64_t axis = padded.dim() - 1 - static_cast<int64_t>(i / 2);
      padded = padded.slice(axis, extra[i], padded.size(axis) - extra[i + 1]);
    }
    return padded;
  }
};

void TorchConvolution(const DeviceContext&,
                      const DenseTensor& input,
                      const DenseTensor& filter,
                      const ConvParams& params,
                      DenseTensor* out) {
  const torch_bridge::InferenceScope scope;
  const Padding padding(params.paddings);
  const at::Tensor x = ToChannelsFirst(ToTorch(input), params);
  const at::Tensor result = at::convolution(params.transposed ? x : padding.Pad(x),
                                            ToTorch(filter),
                                            {},
                                            params.strides,
                                            padding.common,
                                            params.dilations,
                                            params.transposed,
                                            params.output_padding,
                                            params.groups);
  Assign(out, params.transposed ? padding.Unpad(result) : result, params);
}

void TorchConvolutionGrad(const DeviceContext&,
                          const DenseTensor& input,
                          const DenseTensor& filter,
                          const DenseTensor& out_grad,
                          const ConvParams& params,
                          DenseTensor* input_grad,
                          DenseTensor* filter_grad) {
  const torch_bridge::InferenceScope scope;
  const Padding padding(params.paddings);
  const at::Tensor x = ToChannelsFirst(ToTorch(input), params);
  const at::Tensor grad = ToChannelsFirst(ToTorch(out_grad), params);
  const auto [x_grad, w_grad, bias_grad] =
      at::convolution_backward(params.transposed ? padding.Pad(grad) : grad,
                               params.transposed ? x : padding.Pad(x),
                               ToTorch(filter),
                               {},
                               params.strides,
                               padding.common,
                               params.dilations,
                               params.transposed,
                               params.output_padding,
                               params.groups,
                               {input_grad != nullptr, filter_grad != nullptr, false});
  if (input_grad) Assign(input_grad, params.transposed ? x_grad : padding.Unpad(x_grad), params);
  if (filter_grad) torch_bridge::AssignResult(filter_grad, w_grad);
}

// What torch runs is a library of the tensors' device.
[[maybe_unused]] const bool conv_registered = [] {
  for (const Backend backend : {Backend::CPU, Backend::GPU}) {
    for (const DataType dtype : {DataType::FLOAT32, DataType::FLOAT64, DataType::FLOAT16, DataType::BFLOAT16}) {
      RegisterPrimitive<Convolution>(backend, &TorchConvolution, dtype);
      RegisterPrimitive<ConvolutionGrad>(backend, &TorchConvolutionGrad, dtype);
    }
  }
  return true;
}();

}  // namespace

}  // namespace phi::primitive
