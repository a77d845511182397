// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"
#include "primitive/fill.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/reduction.h"

namespace phi {
namespace funcs {

// By `weight`, which Paddle makes of the label and of the weight of positive classes.
template <typename C>
struct LogitsLossFunctor {
  C ignored;
  template <typename V>
  HOSTDEVICE V operator()(V x, V label, V weight) const {
    const V softplus = math::Log(V(1) + math::Exp(V(0) - math::Abs(x))) + math::Maximum(V(0) - x, V(0));
    return math::Select(label == V(ignored), V(0), (V(1) - label) * x + weight * softplus);
  }
};

template <typename C>
struct LogitsLossGradFunctor {
  C ignored;
  template <typename V>
  HOSTDEVICE V operator()(V x, V label, V weight, V dout) const {
    const V grad = V(1) - label - weight * math::Sigmoid(V(0) - x);
    return math::Select(label == V(ignored), V(0), dout * grad);
  }
};

template <typename C>
struct CountedFunctor {
  C ignored;
  template <typename V>
  HOSTDEVICE V operator()(V label) const {
    return math::Select(label == V(ignored), V(0), V(1));
  }
};

struct DivideByCountFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V count) const {
    return x / math::Maximum(count, V(1e-5));
  }
};

// Divides `out` by the number of labels that count.
template <typename T, typename Context>
void DivideByCounted(const Context& dev_ctx,
                     const DenseTensor& label,
                     primitive::ComputeType<T> ignored,
                     DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  DenseTensor counted, count;
  counted.Resize(label.dims());
  count.Resize(DDim());
  primitive::Elementwise<C, T>(dev_ctx, &counted, CountedFunctor<C>{ignored}, label);
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, counted, primitive::AxisSet(), counted.dtype(), &count);
  primitive::Elementwise<T, T, C>(dev_ctx, out, DivideByCountFunctor(), *out, count);
}

template <typename T, typename Context>
DenseTensor One(const Context& dev_ctx) {
  DenseTensor one = primitive::EmptyTensor<T>(dev_ctx, DDim());
  primitive::FillWith(dev_ctx, Scalar(1), &one);
  return one;
}

}  // namespace funcs

template <typename T, typename Context>
void SigmoidCrossEntropyWithLogitsKernel(const Context& dev_ctx,
                                         const DenseTensor& x,
                                         const DenseTensor& label,
                                         const paddle::optional<DenseTensor>& pos_weight,
                                         bool normalize,
                                         int ignore_index,
                                         DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  const C ignored = static_cast<C>(ignore_index);
  const DenseTensor weight = pos_weight ? *pos_weight : funcs::One<T>(dev_ctx);
  primitive::ElementwiseTernary<T>(dev_ctx, x, label, weight, out, funcs::LogitsLossFunctor<C>{ignored});
  if (normalize) funcs::DivideByCounted<T>(dev_ctx, label, ignored, out);
}

template <typename T, typename Context>
void SigmoidCrossEntropyWithLogitsGradKernel(const Context& dev_ctx,
                                             const DenseTensor& x,
                                             const DenseTensor& label,
                                             const paddle::optional<DenseTensor>& pos_weight,
                                             const DenseTensor& out_grad,
                                             bool normalize,
                                             int ignore_index,
                                             DenseTensor* x_grad) {
  using C = primitive::ComputeType<T>;
  const C ignored = static_cast<C>(ignore_index);
  const DenseTensor weight = pos_weight ? *pos_weight : funcs::One<T>(dev_ctx);
  primitive::Elementwise<T, T, T, T, T>(
      dev_ctx, x_grad, funcs::LogitsLossGradFunctor<C>{ignored}, x, label, weight, out_grad);
  if (normalize) funcs::DivideByCounted<T>(dev_ctx, label, ignored, x_grad);
}

}  // namespace phi
