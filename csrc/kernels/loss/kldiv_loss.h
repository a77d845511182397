// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"
#include "primitive/reduction.h"

namespace phi {
namespace funcs {

struct KlDivLossFunctor {
  bool log_target;
  template <typename V>
  HOSTDEVICE V operator()(V x, V label) const {
    if (log_target) return math::Exp(label) * (label - x);
    return math::Select(label <= V(0), V(0), label * (math::Log(label) - x));
  }
};

template <typename C>
struct KlDivLossGradFunctor {
  C factor;
  bool log_target;
  template <typename V>
  HOSTDEVICE V operator()(V label, V dout) const {
    const V weight = log_target ? math::Exp(label) : math::Select(label <= V(0), V(0), label);
    return V(-factor) * weight * dout;
  }
};

template <typename C>
struct TimesFunctor {
  C factor;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * V(factor);
  }
};

// What the sum is multiplied by.
inline double KlDivFactor(const DDim& x, const std::string& reduction) {
  const int64_t count = reduction == "mean" ? product(x) : reduction == "batchmean" ? x[0] : 1;
  return 1.0 / static_cast<double>(count);
}

}  // namespace funcs

template <typename T, typename Context>
void KldivLossKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& label,
                     const std::string& reduction,
                     bool log_target,
                     DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  const funcs::KlDivLossFunctor functor{log_target};
  if (reduction == "none") return primitive::ElementwiseBinary<T>(dev_ctx, x, label, out, functor);
  DenseTensor losses, sum;
  losses.Resize(x.dims());
  sum.Resize(out->dims());
  primitive::Elementwise<C, T, T>(dev_ctx, &losses, functor, x, label);
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, losses, primitive::AxisSet(), losses.dtype(), &sum);
  const C factor = static_cast<C>(funcs::KlDivFactor(x.dims(), reduction));
  primitive::Elementwise<T, C>(dev_ctx, out, funcs::TimesFunctor<C>{factor}, sum);
}

template <typename T, typename Context>
void KldivLossGradKernel(const Context& dev_ctx,
                         const DenseTensor& label,
                         const DenseTensor& out_grad,
                         const std::string& reduction,
                         bool log_target,
                         DenseTensor* x_grad) {
  using C = primitive::ComputeType<T>;
  const C factor = static_cast<C>(funcs::KlDivFactor(label.dims(), reduction));
  primitive::ElementwiseBinary<T>(dev_ctx, label, out_grad, x_grad, funcs::KlDivLossGradFunctor<C>{factor, log_target});
}

}  // namespace phi
