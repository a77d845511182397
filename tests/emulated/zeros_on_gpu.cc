// SPDX-License-Identifier: Apache-2.0
#include "paddle/extension.h"

// Zeros on the current GPU, of the shape of X. The number is on the CPU.
std::vector<paddle::Tensor> ZerosOnGpu(const paddle::Tensor& number, const paddle::Tensor& x) {
  return {paddle::zeros(x.shape(), x.dtype(), phi::Place(phi::AllocationType::GPU, -1))};
}
std::vector<std::vector<int64_t>> ZerosShape(const std::vector<int64_t>& number, const std::vector<int64_t>& x) {
  return {x};
}
std::vector<paddle::DataType> ZerosDtype(paddle::DataType number, paddle::DataType x) { return {x}; }

PD_BUILD_OP(zeros_on_gpu)
    .Inputs({"Number", "X"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(ZerosOnGpu))
    .SetInferShapeFn(PD_INFER_SHAPE(ZerosShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(ZerosDtype));
