// SPDX-License-Identifier: Apache-2.0
// Custom operators as they are written for Paddle: one tensor in, one out, differentiated up to twice.
#include <cmath>
#include <vector>

#include "paddle/extension.h"

// out = scale * tanh(x)
std::vector<paddle::Tensor> TanhForward(const paddle::Tensor& x, float scale) {
  auto out = paddle::empty_like(x);
  PD_DISPATCH_FLOATING_TYPES(x.dtype(), "scaled_tanh", ([&] {
                               const data_t* from = x.data<data_t>();
                               data_t* to = out.data<data_t>();
                               for (int64_t i = 0; i < x.numel(); ++i) to[i] = scale * std::tanh(from[i]);
                             }));
  return {out};
}

// dx = dout * (scale - out * out / scale)
std::vector<paddle::Tensor> TanhBackward(const paddle::Tensor& out, const paddle::Tensor& out_grad, float scale) {
  auto x_grad = paddle::empty(out.shape(), out.dtype(), out.place());
  PD_DISPATCH_FLOATING_TYPES(out.dtype(), "scaled_tanh_grad", ([&] {
                               const data_t* y = out.data<data_t>();
                               const data_t* dy = out_grad.data<data_t>();
                               data_t* dx = x_grad.data<data_t>();
                               for (int64_t i = 0; i < out.numel(); ++i) dx[i] = dy[i] * (scale - y[i] * y[i] / scale);
                             }));
  return {x_grad};
}

// The gradients of dx with respect to out and to dout.
std::vector<paddle::Tensor> TanhDoubleBackward(const paddle::Tensor& out,
                                               const paddle::Tensor& out_grad,
                                               const paddle::Tensor& x_grad_grad,
                                               float scale) {
  auto out_new = paddle::empty(out.shape(), out.dtype(), out.place());
  auto out_grad_grad = paddle::empty(out.shape(), out.dtype(), out.place());
  PD_DISPATCH_FLOATING_TYPES(out.dtype(), "scaled_tanh_grad_grad", ([&] {
                               const data_t* y = out.data<data_t>();
                               const data_t* dy = out_grad.data<data_t>();
                               const data_t* ddx = x_grad_grad.data<data_t>();
                               data_t* y_new = out_new.mutable_data<data_t>();
                               data_t* ddy = out_grad_grad.mutable_data<data_t>(out.place());
                               for (int64_t i = 0; i < out.numel(); ++i) {
                                 y_new[i] = -2 * ddx[i] * dy[i] * y[i] / scale;
                                 ddy[i] = ddx[i] * (scale - y[i] * y[i] / scale);
                               }
                             }));
  return {out_new, out_grad_grad};
}

std::vector<std::vector<int64_t>> TanhBackwardShape(const std::vector<int64_t>& out,
                                                    const std::vector<int64_t>& out_grad,
                                                    float scale) {
  return {out};
}
std::vector<paddle::DataType> TanhBackwardDtype(paddle::DataType out, paddle::DataType out_grad) { return {out}; }

PD_BUILD_OP(scaled_tanh).Inputs({"X"}).Outputs({"Out"}).Attrs({"scale: float"}).SetKernelFn(PD_KERNEL(TanhForward));

PD_BUILD_GRAD_OP(scaled_tanh)
    .Inputs({"Out", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .Attrs({"scale: float"})
    .SetKernelFn(PD_KERNEL(TanhBackward))
    .SetInferShapeFn(PD_INFER_SHAPE(TanhBackwardShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(TanhBackwardDtype));

PD_BUILD_DOUBLE_GRAD_OP(scaled_tanh)
    .Inputs({"Out", paddle::Grad("Out"), paddle::Grad(paddle::Grad("X"))})
    .Outputs({paddle::New(paddle::Grad("Out")), paddle::Grad(paddle::Grad("Out"))})
    .Attrs({"scale: float"})
    .SetKernelFn(PD_KERNEL(TanhDoubleBackward));

// The kernel writes outputs that it gets as pointers.
void ReluForward(const paddle::Tensor& x, paddle::Tensor* out) {
  out->reshape(x.shape());
  PD_DISPATCH_FLOATING_AND_HALF_TYPES(x.dtype(), "relu_out", ([&] {
                                        const data_t* from = x.data<data_t>();
                                        data_t* to = out->mutable_data<data_t>(x.place());
                                        for (int64_t i = 0; i < x.numel(); ++i) {
                                          to[i] = from[i] > data_t(0) ? from[i] : data_t(0);
                                        }
                                      }));
}
void ReluBackward(const paddle::Tensor& x, const paddle::Tensor& out_grad, paddle::Tensor* x_grad) {
  x_grad->reshape(x.shape());
  PD_DISPATCH_FLOATING_AND_HALF_TYPES(x.dtype(), "relu_out_grad", ([&] {
                                        data_t* dx = x_grad->mutable_data<data_t>(x.place());
                                        for (int64_t i = 0; i < x.numel(); ++i) {
                                          dx[i] =
                                              x.data<data_t>()[i] > data_t(0) ? out_grad.data<data_t>()[i] : data_t(0);
                                        }
                                      }));
}

PD_BUILD_OP(relu_out).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(ReluForward));
PD_BUILD_GRAD_OP(relu_out)
    .Inputs({"X", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .SetKernelFn(PD_KERNEL(ReluBackward));

// No gradient op.
std::vector<paddle::Tensor> Negate(const paddle::Tensor& x) { return {-x}; }
PD_BUILD_OP(negate).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Negate));

// Results that are the argument, or a part of it.
std::vector<paddle::Tensor> Identity(const paddle::Tensor& x) { return {x}; }
std::vector<paddle::Tensor> IdentityGrad(const paddle::Tensor& out_grad) { return {out_grad}; }
PD_BUILD_OP(identity).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Identity));
PD_BUILD_GRAD_OP(identity)
    .Inputs({paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .SetKernelFn(PD_KERNEL(IdentityGrad));

std::vector<paddle::Tensor> Rows(const paddle::Tensor& x, int64_t begin, int64_t end) { return {x.slice(begin, end)}; }
std::vector<std::vector<int64_t>> RowsShape(const std::vector<int64_t>& x, int64_t begin, int64_t end) {
  auto shape = x;
  shape[0] = end - begin;
  return {shape};
}
PD_BUILD_OP(rows)
    .Inputs({"X"})
    .Outputs({"Out"})
    .Attrs({"begin: int64_t", "end: int64_t"})
    .SetKernelFn(PD_KERNEL(Rows))
    .SetInferShapeFn(PD_INFER_SHAPE(RowsShape));

// Writes an argument without saying so.
std::vector<paddle::Tensor> Scribble(paddle::Tensor& x) {
  auto out = paddle::full(x.shape(), 0, x.dtype(), x.place());
  for (int64_t i = 0; i < x.numel(); ++i) out.data<float>()[i] = x.data<float>()[i]++;
  return {out};
}
PD_BUILD_OP(scribble).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Scribble));
