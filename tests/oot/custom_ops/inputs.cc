// SPDX-License-Identifier: Apache-2.0
// Custom operators as they are written for Paddle: lists of tensors, optional tensors, several outputs, other
// operators.
#include <vector>

#include "paddle/extension.h"

// out = sum of weights[i] * x[i]
std::vector<paddle::Tensor> WeightedSum(const std::vector<paddle::Tensor>& x, const std::vector<float>& weights) {
  PD_CHECK(x.size() == weights.size(), "weights: expected ", x.size(), " numbers, got ", weights.size());
  auto out = paddle::zeros(x[0].shape(), x[0].dtype(), x[0].place());
  PD_DISPATCH_FLOATING_TYPES(out.dtype(), "weighted_sum", ([&] {
                               data_t* to = out.data<data_t>();
                               for (size_t k = 0; k < x.size(); ++k) {
                                 const data_t* from = x[k].data<data_t>();
                                 for (int64_t i = 0; i < out.numel(); ++i) to[i] += weights[k] * from[i];
                               }
                             }));
  return {out};
}
std::vector<paddle::Tensor> WeightedSumGrad(const std::vector<paddle::Tensor>& x,
                                            const paddle::Tensor& out_grad,
                                            const std::vector<float>& weights) {
  std::vector<paddle::Tensor> grads;
  for (size_t k = 0; k < x.size(); ++k) grads.push_back(out_grad * weights[k]);
  return grads;
}
std::vector<std::vector<int64_t>> WeightedSumShape(const std::vector<std::vector<int64_t>>& x) { return {x[0]}; }
std::vector<paddle::DataType> WeightedSumDtype(const std::vector<paddle::DataType>& x) { return {x[0]}; }

PD_BUILD_OP(weighted_sum)
    .Inputs({paddle::Vec("X")})
    .Outputs({"Out"})
    .Attrs({"weights: std::vector<float>"})
    .SetKernelFn(PD_KERNEL(WeightedSum))
    .SetInferShapeFn(PD_INFER_SHAPE(WeightedSumShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(WeightedSumDtype));
PD_BUILD_GRAD_OP(weighted_sum)
    .Inputs({paddle::Vec("X"), paddle::Grad("Out")})
    .Outputs({paddle::Grad(paddle::Vec("X"))})
    .Attrs({"weights: std::vector<float>"})
    .SetKernelFn(PD_KERNEL(WeightedSumGrad));

// out = x + y, or 2 * x without y
std::vector<paddle::Tensor> AddOptional(const paddle::Tensor& x, const paddle::optional<paddle::Tensor>& y) {
  if (y) return {x + y.get()};
  return {x * 2};
}
std::vector<paddle::Tensor> AddOptionalGrad(const paddle::Tensor& x,
                                            const paddle::optional<paddle::Tensor>& y,
                                            const paddle::Tensor& out_grad) {
  if (y) return {out_grad, out_grad};
  return {out_grad * 2, paddle::Tensor()};
}
std::vector<std::vector<int64_t>> AddOptionalShape(const std::vector<int64_t>& x,
                                                   const paddle::optional<std::vector<int64_t>>& y) {
  PD_CHECK(!y || *y == x, "X and Y must have the same shape");
  return {x};
}
std::vector<paddle::DataType> AddOptionalDtype(const paddle::DataType& x, const paddle::optional<paddle::DataType>& y) {
  return {y ? *y : x};
}
PD_BUILD_OP(add_optional)
    .Inputs({"X", paddle::Optional("Y")})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(AddOptional))
    .SetInferShapeFn(PD_INFER_SHAPE(AddOptionalShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(AddOptionalDtype));
PD_BUILD_GRAD_OP(add_optional)
    .Inputs({"X", paddle::Optional("Y"), paddle::Grad("Out")})
    .Outputs({paddle::Grad("X"), paddle::Grad(paddle::Optional("Y"))})
    .SetKernelFn(PD_KERNEL(AddOptionalGrad));

// The sum of a list that may be absent and x.
std::vector<paddle::Tensor> AddAll(const paddle::Tensor& x, const paddle::optional<std::vector<paddle::Tensor>>& more) {
  paddle::Tensor out = paddle::experimental::scale(x, 1.0, 0.0, true);
  if (more) {
    for (const paddle::Tensor& tensor : *more) out = out + tensor;
  }
  return {out};
}
std::vector<std::vector<int64_t>> AddAllShape(const std::vector<int64_t>& x,
                                              const paddle::optional<std::vector<std::vector<int64_t>>>& more) {
  return {x};
}
std::vector<paddle::DataType> AddAllDtype(const paddle::DataType& x,
                                          const paddle::optional<std::vector<paddle::DataType>>& more) {
  return {x};
}
PD_BUILD_OP(add_all)
    .Inputs({"X", paddle::Optional(paddle::Vec("More"))})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(AddAll))
    .SetInferShapeFn(PD_INFER_SHAPE(AddAllShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(AddAllDtype));

// x @ w + b, of other operators. The gradient of `b` is not given.
std::vector<paddle::Tensor> Linear(const paddle::Tensor& x, const paddle::Tensor& w, const paddle::Tensor& b) {
  return {paddle::add(paddle::matmul(x, w), b)};
}
std::vector<paddle::Tensor> LinearGrad(const paddle::Tensor& x,
                                       const paddle::Tensor& w,
                                       const paddle::Tensor& out_grad) {
  return {paddle::matmul(out_grad, w, false, true), paddle::matmul(x, out_grad, true, false)};
}
#ifdef PHI_TORCH
using Size = paddle::SymInt;  // stays symbolic under torch.compile
#else
using Size = int64_t;
#endif
std::vector<std::vector<Size>> LinearShape(const std::vector<Size>& x,
                                           const std::vector<Size>& w,
                                           const std::vector<Size>& b) {
  return {{x[0], w[1]}};
}
std::vector<paddle::DataType> LinearDtype(paddle::DataType x, paddle::DataType w, paddle::DataType b) { return {x}; }
PD_BUILD_OP(linear)
    .Inputs({"X", "W", "B"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(Linear))
    .SetInferShapeFn(PD_INFER_SHAPE(LinearShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(LinearDtype));
PD_BUILD_GRAD_OP(linear)
    .Inputs({"X", "W", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X"), paddle::Grad("W")})
    .SetKernelFn(PD_KERNEL(LinearGrad));

// Outputs of other types: the whole part is an integer and has no gradient.
std::vector<paddle::Tensor> Split(const paddle::Tensor& x) {
  auto whole = paddle::empty(x.shape(), paddle::DataType::INT64, paddle::CPUPlace());
  auto rest = paddle::empty_like(x);
  PD_DISPATCH_FLOATING_TYPES(x.dtype(), "split_number", ([&] {
                               int64_t* w = whole.data<int64_t>();
                               data_t* r = rest.data<data_t>();
                               for (int64_t i = 0; i < x.numel(); ++i) {
                                 w[i] = static_cast<int64_t>(x.data<data_t>()[i]);
                                 r[i] = x.data<data_t>()[i] - static_cast<data_t>(w[i]);
                               }
                             }));
  return {rest, whole};
}
std::vector<paddle::Tensor> SplitGrad(const paddle::Tensor& rest_grad) { return {rest_grad * 1}; }
std::vector<std::vector<int64_t>> SplitShape(std::vector<int64_t> x) { return {x, x}; }
std::vector<paddle::DataType> SplitDtype(paddle::DataType x) { return {x, paddle::DataType::INT64}; }
PD_BUILD_OP(split_number)
    .Inputs({"X"})
    .Outputs({"Rest", "Whole"})
    .SetKernelFn(PD_KERNEL(Split))
    .SetInferShapeFn(PD_INFER_SHAPE(SplitShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(SplitDtype));
PD_BUILD_GRAD_OP(split_number)
    .Inputs({paddle::Grad("Rest")})
    .Outputs({paddle::Grad("X")})
    .SetKernelFn(PD_KERNEL(SplitGrad));

// Without functions for shapes and types, and with two inputs: not known before it runs.
std::vector<paddle::Tensor> Unknown(const paddle::Tensor& x, const paddle::Tensor& y) { return {x + y}; }
PD_BUILD_OP(unknown).Inputs({"X", "Y"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Unknown));

// As many elements as are positive.
std::vector<paddle::Tensor> Positive(const paddle::Tensor& x) {
  std::vector<float> found;
  for (int64_t i = 0; i < x.numel(); ++i) {
    if (x.data<float>()[i] > 0) found.push_back(x.data<float>()[i]);
  }
  // the older way to make a tensor: it has a type when its memory is asked for
  auto out = paddle::Tensor(paddle::PlaceType::kCPU, {static_cast<int64_t>(found.size())});
  std::copy(found.begin(), found.end(), out.mutable_data<float>());
  return {out};
}
std::vector<std::vector<int64_t>> PositiveShape(const std::vector<int64_t>& x) { return {{-1}}; }
PD_BUILD_OP(positive)
    .Inputs({"X"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(Positive))
    .SetInferShapeFn(PD_INFER_SHAPE(PositiveShape));
