// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"
#include "primitive/loop/tensor_view.h"

namespace phi {
namespace funcs {

template <typename C>
struct SmoothFunctor {
  C rest;
  C added;
  template <typename V>
  HOSTDEVICE V operator()(V label) const {
    return V(rest) * label + V(added);
  }
};

template <typename C>
struct SmoothToPriorFunctor {
  C rest;
  C epsilon;
  template <typename V>
  HOSTDEVICE V operator()(V label, V prior) const {
    return V(rest) * label + V(epsilon) * prior;
  }
};

}  // namespace funcs

template <typename T, typename Context>
void LabelSmoothKernel(const Context& dev_ctx,
                       const DenseTensor& label,
                       const paddle::optional<DenseTensor>& prior_dist,
                       float epsilon,
                       DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  const C e = static_cast<C>(epsilon);
  if (prior_dist) {
    const DenseTensor prior = primitive::ViewOf(*prior_dist, {prior_dist->numel()});
    return primitive::ElementwiseBinary<T>(dev_ctx, label, prior, out, funcs::SmoothToPriorFunctor<C>{C(1) - e, e});
  }
  const C added = e / static_cast<C>(label.dims()[label.dims().size() - 1]);
  primitive::ElementwiseUnary<T>(dev_ctx, label, out, funcs::SmoothFunctor<C>{C(1) - e, added});
}

template <typename T, typename Context>
void LabelSmoothGradKernel(const Context& dev_ctx,
                           const DenseTensor& out_grad,
                           float epsilon,
                           DenseTensor* label_grad) {
  using C = primitive::ComputeType<T>;
  const funcs::SmoothFunctor<C> functor{C(1) - static_cast<C>(epsilon), C(0)};
  primitive::ElementwiseUnary<T>(dev_ctx, out_grad, label_grad, functor);
}

}  // namespace phi
