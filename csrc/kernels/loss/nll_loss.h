// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/cast.h"
#include "primitive/elementwise.h"
#include "primitive/fill.h"
#include "primitive/for_each.h"
#include "primitive/loop/check_index.h"
#include "primitive/reduction.h"

namespace phi {
namespace funcs {

// Which element of input [batch, classes, positions] label i stands for, and its weight: 0 if it is ignored.
template <typename T>
struct NllLabels {
  using C = primitive::ComputeType<T>;
  const int64_t* labels;
  const T* weights;  // or null
  int64_t classes;
  int64_t positions;
  int64_t ignore_index;

  NllLabels(const DenseTensor& input,
            const DenseTensor& label,
            const paddle::optional<DenseTensor>& weight,
            int64_t ignored)
      : labels(label.data<int64_t>()),
        weights(weight ? weight->template data<T>() : nullptr),
        classes(input.dims()[1]),
        positions(product(slice_ddim(input.dims(), 2, input.dims().size()))),
        ignore_index(ignored) {}
  HOSTDEVICE bool Counts(int64_t i) const {
    if (labels[i] == ignore_index) return false;
    primitive::CheckIndex("label", labels[i], 0, classes);
    return true;
  }
  HOSTDEVICE int64_t At(int64_t i) const {
    if (positions == 1) return i * classes + labels[i];  // a division takes as long as the rest
    return (i / positions * classes + labels[i]) * positions + i % positions;
  }
  HOSTDEVICE C Weight(int64_t i) const { return weights ? primitive::ToCompute(weights[labels[i]]) : C(1); }
};

struct MeanUnlessZeroFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V sum, V total) const {
    return math::Select(total == V(0), V(0), sum / total);
  }
};

}  // namespace funcs

template <typename T, typename Context>
void NllLossKernel(const Context& dev_ctx,
                   const DenseTensor& input,
                   const DenseTensor& label,
                   const paddle::optional<DenseTensor>& weight,
                   int64_t ignore_index,
                   const std::string& reduction,
                   DenseTensor* out,
                   DenseTensor* total_weight) {
  using C = primitive::ComputeType<T>;
  const DenseTensor labels = primitive::ToInt64(dev_ctx, label);
  const funcs::NllLabels<T> at(input, labels, weight, ignore_index);
  const T* from = input.data<T>();
  DenseTensor losses, weights, loss, total;
  losses.Resize(label.dims());
  weights.Resize(label.dims());
  C* each_loss = dev_ctx.template Alloc<C>(&losses);
  C* each_weight = dev_ctx.template Alloc<C>(&weights);
  primitive::ForEach(dev_ctx, label.numel(), [=] HOSTDEVICE(int64_t i) {
    const bool counts = at.Counts(i);
    each_weight[i] = counts ? at.Weight(i) : C(0);
    each_loss[i] = counts ? -primitive::ToCompute(from[at.At(i)]) * each_weight[i] : C(0);
  });
  loss.Resize(DDim());
  total.Resize(DDim());
  if (reduction == "none") {
    primitive::Elementwise<T, C>(dev_ctx, out, primitive::IdentityFunctor(), losses);
    if (total_weight->numel() > 0) {
      dev_ctx.template Alloc<T>(total_weight);
      primitive::FillWith(dev_ctx, Scalar(0), total_weight);
    }
    return;
  }
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, losses, primitive::AxisSet(), losses.dtype(), &loss);
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, weights, primitive::AxisSet(), weights.dtype(), &total);
  primitive::Elementwise<T, C>(dev_ctx, total_weight, primitive::IdentityFunctor(), total);
  if (reduction == "mean")
    return primitive::Elementwise<T, C, C>(dev_ctx, out, funcs::MeanUnlessZeroFunctor(), loss, total);
  primitive::Elementwise<T, C>(dev_ctx, out, primitive::IdentityFunctor(), loss);
}

template <typename T, typename Context>
void NllLossGradKernel(const Context& dev_ctx,
                       const DenseTensor& input,
                       const DenseTensor& label,
                       const paddle::optional<DenseTensor>& weight,
                       const DenseTensor& total_weight,
                       const DenseTensor& out_grad,
                       int64_t ignore_index,
                       const std::string& reduction,
                       DenseTensor* input_grad) {
  using C = primitive::ComputeType<T>;
  const DenseTensor labels = primitive::ToInt64(dev_ctx, label);
  const funcs::NllLabels<T> at(input, labels, weight, ignore_index);
  T* to = dev_ctx.template Alloc<T>(input_grad);
  if (input_grad->numel() == 0) return;
  primitive::FillWith(dev_ctx, Scalar(0), input_grad);
  const T *grad = out_grad.data<T>(), *total = total_weight.data<T>();
  const bool is_mean = reduction == "mean", is_each = reduction == "none";
  primitive::ForEach(dev_ctx, label.numel(), [=] HOSTDEVICE(int64_t i) {
    if (!at.Counts(i)) return;
    const C share = at.Weight(i) * primitive::ToCompute(grad[is_each ? i : 0]);
    const C sum = is_mean ? primitive::ToCompute(*total) : C(1);
    to[at.At(i)] = primitive::Convert<T>(sum == C(0) ? C(0) : -share / sum);
  });
}

}  // namespace phi
