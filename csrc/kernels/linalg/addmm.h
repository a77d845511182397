// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"
#include "kernels/matmul_grad_kernel.h"
#include "primitive/matmul.h"

namespace phi {

template <typename C>
struct TimesFactor {
  C factor;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * V(factor);
  }
};

template <typename C>
struct WeightedSum {
  C beta;
  C alpha;
  template <typename V>
  HOSTDEVICE V operator()(V input, V product) const {
    return V(beta) * input + V(alpha) * product;
  }
};

// beta * input + alpha * x @ y; `input`, which broadcasts, does not count if beta is 0.
template <typename T, typename Context>
void AddmmKernel(const Context& dev_ctx,
                 const DenseTensor& input,
                 const DenseTensor& x,
                 const DenseTensor& y,
                 float beta,
                 float alpha,
                 DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  if (alpha == 1 && beta != 0) {  // the product is added to what is in `out`
    primitive::ElementwiseUnary<T>(dev_ctx, input, out, TimesFactor<C>{C(beta)});
    return primitive::MatMul(dev_ctx, x, false, y, false, out, {.accumulate = true});
  }
  DenseTensor product;
  product.Resize(out->dims());
  dev_ctx.template Alloc<T>(&product);
  primitive::MatMul(dev_ctx, x, false, y, false, &product);
  if (beta == 0) return primitive::ElementwiseUnary<T>(dev_ctx, product, out, TimesFactor<C>{C(alpha)});
  primitive::ElementwiseBinary<T>(dev_ctx, input, product, out, WeightedSum<C>{C(beta), C(alpha)});
}

template <typename T, typename Context>
void AddmmGradKernel(const Context& dev_ctx,
                     const DenseTensor& input,
                     const DenseTensor& x,
                     const DenseTensor& y,
                     const DenseTensor& out_grad,
                     float alpha,
                     float beta,
                     DenseTensor* input_grad,
                     DenseTensor* x_grad,
                     DenseTensor* y_grad) {
  using C = primitive::ComputeType<T>;
  funcs::BinaryGrad<T>(dev_ctx, out_grad, -1, input, input_grad, TimesFactor<C>{C(beta)}, out_grad);
  MatmulGradKernel<T, Context>(dev_ctx, x, y, out_grad, false, false, x_grad, y_grad);
  for (DenseTensor* grad : {x_grad, y_grad}) {
    if (grad && alpha != 1) primitive::ElementwiseUnary<T>(dev_ctx, *grad, grad, TimesFactor<C>{C(alpha)});
  }
}

}  // namespace phi
