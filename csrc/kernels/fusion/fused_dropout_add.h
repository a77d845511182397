// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/random/dropout.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

template <typename C>
struct MultiplyAddFunctor {
  C factor;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return x * V(factor) + y;
  }
};

// out = dropout(x) + y. `seed_offset` says which random numbers it took; it may be null.
template <typename T, typename Context>
void FusedDropoutAddKernel(const Context& dev_ctx,
                           const DenseTensor& x,
                           const DenseTensor& y,
                           const paddle::optional<DenseTensor>& seed_tensor,
                           const Scalar& p,
                           bool is_test,
                           const std::string& mode,
                           int seed,
                           bool fix_seed,
                           DenseTensor* out,
                           DenseTensor* seed_offset) {
  using Compute = primitive::ComputeType<T>;
  const double probability = p.to<double>();
  const int64_t n = x.numel();
  primitive::PhiloxState state{0, 0};
  if (!is_test) state = DropoutState(dev_ctx, seed_tensor, seed, fix_seed, n);
  if (seed_offset) {
    int64_t* numbers = dev_ctx.template Alloc<int64_t>(seed_offset);
    primitive::ForEach(dev_ctx, 2, [=] HOSTDEVICE(int64_t i) {
      numbers[i] = static_cast<int64_t>(i == 0 ? state.seed : state.offset);
    });
  }
  if (is_test) {
    const MultiplyAddFunctor<Compute> functor{static_cast<Compute>(InferenceScale(probability, mode))};
    return primitive::ElementwiseBinary<T>(dev_ctx, x, y, out, functor);
  }
  T* result = dev_ctx.template Alloc<T>(out);
  if (n == 0) return;
  const T* from = x.data<T>();
  const T* added = y.data<T>();
  const auto scale = static_cast<Compute>(DropoutScale(probability, mode));
  const auto limit = static_cast<float>(probability);
  primitive::ForEachUniform<float>(dev_ctx, state, n, [=] HOSTDEVICE(int64_t i, float u) {
    const Compute kept = u >= limit ? primitive::ToCompute(from[i]) * scale : Compute(0);
    result[i] = primitive::Convert<T>(kept + primitive::ToCompute(added[i]));
  });
}

// A gradient that is null is not wanted.
template <typename T, typename Context>
void FusedDropoutAddGradKernel(const Context& dev_ctx,
                               const DenseTensor& seed_offset,
                               const DenseTensor& out_grad,
                               const Scalar& p,
                               bool is_test,
                               const std::string& mode,
                               bool,
                               DenseTensor* x_grad,
                               DenseTensor* y_grad) {
  using Compute = primitive::ComputeType<T>;
  if (y_grad) primitive::Copy(dev_ctx, out_grad, y_grad);
  if (!x_grad) return;
  const double probability = p.to<double>();
  if (is_test) {
    const MultiplyBy<T> multiply{static_cast<Compute>(InferenceScale(probability, mode))};
    return primitive::ElementwiseUnary<T>(dev_ctx, out_grad, x_grad, multiply);
  }
  T* result = dev_ctx.template Alloc<T>(x_grad);
  const int64_t n = out_grad.numel();
  if (n == 0) return;
  const int64_t* numbers = seed_offset.data<int64_t>();
  const primitive::PhiloxState state{static_cast<uint64_t>(numbers[0]), static_cast<uint64_t>(numbers[1])};
  const auto scale = static_cast<Compute>(DropoutScale(probability, mode));
  const DropoutFunctor<T> functor{out_grad.data<T>(), result, nullptr, static_cast<float>(probability), scale};
  primitive::ForEachUniform<float>(dev_ctx, state, n, functor);
}

}  // namespace phi
