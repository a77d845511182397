// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "primitive/cast.h"
#include "primitive/elementwise.h"
#include "primitive/reduce.h"
#include "primitive/reduction.h"

namespace phi {

// Integers are multiplied in int64, which wraps around as the type of x does.
template <typename T, typename Context>
void ProdKernel(
    const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, bool, bool reduce_all, DenseTensor* out) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  if (!std::is_same_v<T, int32_t>)
    return primitive::Reduce(dev_ctx, primitive::ReduceOp::kProd, x, axes, x.dtype(), out);
  DenseTensor product;
  product.Resize(out->dims());
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kProd, x, axes, DataType::INT64, &product);
  primitive::CastTo(dev_ctx, product, x.dtype(), out);
}

struct OneForZero {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Select(x == V(0), V(1), x);
  }
};

struct IsZero {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return x == V(0);
  }
};

// `product` is that of the elements of a group that are other than 0, of which it has `zeros`.
template <typename C>
struct ProdGradFunctor {
  HOSTDEVICE C operator()(C x, C product, int64_t zeros, C grad) const {
    const bool is_zero = x == C(0);
    if (zeros > (is_zero ? 1 : 0)) return C(0);
    return grad * math::Conj(is_zero ? product : product / x);
  }
};

template <typename T, typename Context>
void ProdGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor&,
                    const DenseTensor& out_grad,
                    const IntArray& axis,
                    bool,
                    bool reduce_all,
                    DenseTensor* x_grad) {
  using C = primitive::ComputeType<T>;
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  DenseTensor product, is_zero, zeros, grad = out_grad, others;
  for (DenseTensor* one : {&product, &zeros, &grad}) one->Resize(funcs::KeptDims(x.dims(), axes));
  for (DenseTensor* one : {&is_zero, &others}) one->Resize(x.dims());
  primitive::ElementwiseUnary<T, C>(dev_ctx, x, &others, OneForZero());
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kProd, others, axes, others.dtype(), &product);
  primitive::ElementwiseUnary<T, bool>(dev_ctx, x, &is_zero, IsZero());
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, is_zero, axes, DataType::INT64, &zeros);
  primitive::Elementwise<T, T, C, int64_t, T>(dev_ctx, x_grad, ProdGradFunctor<C>(), x, product, zeros, grad);
}

}  // namespace phi
