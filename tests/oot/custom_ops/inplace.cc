// SPDX-License-Identifier: Apache-2.0
// Custom operators as they are written for Paddle: arguments that are overwritten.
#include <vector>

#include "paddle/extension.h"

namespace {

template <typename T>
void AddTo(const T* from, T* to, int64_t count, T scale) {
  for (int64_t i = 0; i < count; ++i) to[i] += scale * from[i];
}

void AddTensor(const paddle::Tensor& from, paddle::Tensor& to, double scale) {
  PD_DISPATCH_FLOATING_TYPES(
      to.dtype(), "add_to", ([&] { AddTo<data_t>(from.data<data_t>(), to.data<data_t>(), to.numel(), scale); }));
}

}  // namespace

// x += scale * y
void AddInplace(paddle::Tensor& x, const paddle::Tensor& y, float scale) { AddTensor(y, x, scale); }
// The incoming gradient is that of x.
std::vector<paddle::Tensor> AddInplaceGrad(const paddle::Tensor& y, paddle::Tensor& out_grad, float scale) {
  return {out_grad * scale};
}
PD_BUILD_OP(add_inplace)
    .Inputs({"X", "Y"})
    .Outputs({"Out"})
    .Attrs({"scale: float"})
    .SetInplaceMap({{"X", "Out"}})
    .SetKernelFn(PD_KERNEL(AddInplace));
PD_BUILD_GRAD_OP(add_inplace)
    .Inputs({"Y", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X"), paddle::Grad("Y")})
    .Attrs({"scale: float"})
    .SetInplaceMap({{paddle::Grad("Out"), paddle::Grad("X")}})
    .SetKernelFn(PD_KERNEL(AddInplaceGrad));

// x = max(x, 0); the gradient is told by the result, and made in place of the incoming one.
void ReluInplace(paddle::Tensor& x) {
  PD_DISPATCH_FLOATING_TYPES(x.dtype(), "relu_inplace", ([&] {
                               data_t* data = x.data<data_t>();
                               for (int64_t i = 0; i < x.numel(); ++i) data[i] = data[i] > 0 ? data[i] : 0;
                             }));
}
void ReluInplaceGrad(const paddle::Tensor& x, const paddle::Tensor& out, paddle::Tensor& out_grad) {
  PD_DISPATCH_FLOATING_TYPES(out.dtype(), "relu_inplace_grad", ([&] {
                               data_t* grad = out_grad.data<data_t>();
                               for (int64_t i = 0; i < out.numel(); ++i) grad[i] *= x.data<data_t>()[i] > 0 ? 1 : 0;
                             }));
}
PD_BUILD_OP(relu_inplace)
    .Inputs({"X"})
    .Outputs({"Out"})
    .SetInplaceMap({{"X", "Out"}})
    .SetKernelFn(PD_KERNEL(ReluInplace));
PD_BUILD_GRAD_OP(relu_inplace)
    .Inputs({"X", "Out", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .SetInplaceMap({{paddle::Grad("Out"), paddle::Grad("X")}})
    .SetKernelFn(PD_KERNEL(ReluInplaceGrad));

// x += a; b += y; returns x * y of before
std::vector<paddle::Tensor> TwoInplace(paddle::Tensor& x,
                                       const paddle::Tensor& a,
                                       paddle::Tensor& b,
                                       const paddle::Tensor& y) {
  paddle::Tensor product = x * y;
  AddTensor(a, x, 1);
  AddTensor(y, b, 1);
  return {product};
}
std::vector<std::vector<int64_t>> TwoInplaceShape(const std::vector<int64_t>& x,
                                                  const std::vector<int64_t>& a,
                                                  const std::vector<int64_t>& b,
                                                  const std::vector<int64_t>& y) {
  return {x};
}
std::vector<paddle::DataType> TwoInplaceDtype(const paddle::DataType& x,
                                              const paddle::DataType& a,
                                              const paddle::DataType& b,
                                              const paddle::DataType& y) {
  return {x};
}
PD_BUILD_OP(two_inplace)
    .Inputs({"X", "A", "B", "Y"})
    .Outputs({"XOut", "Product", "BOut"})
    .SetInplaceMap({{"X", "XOut"}, {"B", "BOut"}})
    .SetKernelFn(PD_KERNEL(TwoInplace))
    .SetInferShapeFn(PD_INFER_SHAPE(TwoInplaceShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(TwoInplaceDtype));

// x[i] += y
void AddToList(std::vector<paddle::Tensor>& x, const paddle::Tensor& y) {
  for (paddle::Tensor& tensor : x) AddTensor(y, tensor, 1);
}
std::vector<paddle::Tensor> AddToListGrad(const std::vector<paddle::Tensor>& x,
                                          const paddle::Tensor& y,
                                          std::vector<paddle::Tensor>& out_grad) {
  auto y_grad = paddle::zeros(y.shape(), y.dtype(), y.place());
  for (const paddle::Tensor& grad : out_grad) AddTensor(grad, y_grad, 1);
  return {y_grad};
}
PD_BUILD_OP(add_to_list)
    .Inputs({paddle::Vec("X"), "Y"})
    .Outputs({paddle::Vec("Out")})
    .SetInplaceMap({{paddle::Vec("X"), paddle::Vec("Out")}})
    .SetKernelFn(PD_KERNEL(AddToList));
PD_BUILD_GRAD_OP(add_to_list)
    .Inputs({paddle::Vec("X"), "Y", paddle::Grad(paddle::Vec("Out"))})
    .Outputs({paddle::Grad(paddle::Vec("X")), paddle::Grad("Y")})
    .SetInplaceMap({{paddle::Grad(paddle::Vec("Out")), paddle::Grad(paddle::Vec("X"))}})
    .SetKernelFn(PD_KERNEL(AddToListGrad));

// out = 2 * x + y; y += x, if there is a y
std::vector<paddle::Tensor> AddBoth(const paddle::Tensor& x, paddle::optional<paddle::Tensor>& y) {
  paddle::Tensor out = x * 2;
  if (y) {
    out = out + *y;
    AddTensor(x, *y, 1);
  }
  return {out};
}
std::vector<std::vector<int64_t>> AddBothShape(const std::vector<int64_t>& x,
                                               const paddle::optional<std::vector<int64_t>>& y) {
  return {x};
}
std::vector<paddle::DataType> AddBothDtype(const paddle::DataType& x, const paddle::optional<paddle::DataType>& y) {
  return {x};
}
std::vector<paddle::Tensor> AddBothGrad(const paddle::Tensor& x,
                                        const paddle::optional<paddle::Tensor>& y,
                                        const paddle::Tensor& out_grad,
                                        paddle::optional<paddle::Tensor>& y_out_grad) {
  paddle::Tensor x_grad = out_grad * 2;
  if (y_out_grad) {
    x_grad = x_grad + *y_out_grad;
    AddTensor(out_grad, *y_out_grad, 1);
  }
  return {x_grad};
}
PD_BUILD_OP(add_both)
    .Inputs({"X", paddle::Optional("Y")})
    .Outputs({"Out", paddle::Optional("YOut")})
    .SetInplaceMap({{paddle::Optional("Y"), paddle::Optional("YOut")}})
    .SetKernelFn(PD_KERNEL(AddBoth))
    .SetInferShapeFn(PD_INFER_SHAPE(AddBothShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(AddBothDtype));
PD_BUILD_GRAD_OP(add_both)
    .Inputs({"X", paddle::Optional("Y"), paddle::Grad("Out"), paddle::Grad(paddle::Optional("YOut"))})
    .Outputs({paddle::Grad("X"), paddle::Grad(paddle::Optional("Y"))})
    .SetInplaceMap({{paddle::Grad(paddle::Optional("YOut")), paddle::Grad(paddle::Optional("Y"))}})
    .SetKernelFn(PD_KERNEL(AddBothGrad));
