// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"
#include "primitive/random.h"

namespace phi {

// What is kept is multiplied by it. Where everything is dropped the value does not matter.
inline double DropoutScale(double p, const std::string& mode) {
  return mode == "upscale_in_train" && p < 1 ? 1 / (1 - p) : 1;
}

// In inference each element is multiplied by it.
inline double InferenceScale(double p, const std::string& mode) { return mode == "upscale_in_train" ? 1 : 1 - p; }

// x or 0. There must be no branch: `keep` is random.
template <typename T>
HOSTDEVICE inline T KeepOrZero(bool keep, T x) {
  if constexpr (sizeof(T) == 2) {
    return T(static_cast<uint16_t>(x.x * static_cast<uint16_t>(keep)), T::from_bits());
  } else {
    return keep ? x : T(0);
  }
}

template <typename T>
struct MultiplyBy {
  primitive::ComputeType<T> factor;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * V(factor);
  }
};

template <typename T>
struct DropoutFunctor {
  using Compute = primitive::ComputeType<T>;
  const T* x;
  T* out;
  uint8_t* mask;
  float p;
  Compute scale;
  HOSTDEVICE void operator()(int64_t i, float uniform) const {
    const bool keep = uniform >= p;
    if (mask) mask[i] = keep;
    out[i] = KeepOrZero(keep, primitive::Convert<T>(primitive::ToCompute(x[i]) * scale));
  }
};

template <typename T>
struct DropoutGradFunctor {
  using Compute = primitive::ComputeType<T>;
  Compute scale;
  HOSTDEVICE T operator()(uint8_t mask, Compute out_grad) const {
    return KeepOrZero(mask != 0, primitive::Convert<T>(out_grad * scale));
  }
};

// The seed is that of `seed_tensor`, that of the attribute if it is fixed, or the generator's.
template <typename Context>
primitive::PhiloxState DropoutState(
    const Context& dev_ctx, const paddle::optional<DenseTensor>& seed_tensor, int seed, bool fix_seed, int64_t n) {
  if (seed_tensor) return {static_cast<uint64_t>(*seed_tensor->template data<int>()), 0};
  if (fix_seed) return {static_cast<uint64_t>(seed), 0};
  return primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<float>(n));
}

// `mask` may be null.
template <typename T, typename Context>
void DropoutKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const paddle::optional<DenseTensor>& seed_tensor,
                   const Scalar& p,
                   bool is_test,
                   const std::string& mode,
                   int seed,
                   bool fix_seed,
                   DenseTensor* out,
                   DenseTensor* mask) {
  using Compute = primitive::ComputeType<T>;
  const double probability = p.to<double>();
  uint8_t* mask_data = mask ? dev_ctx.template Alloc<uint8_t>(mask) : nullptr;
  if (is_test) {
    const MultiplyBy<T> multiply{static_cast<Compute>(InferenceScale(probability, mode))};
    return primitive::ElementwiseUnary<T>(dev_ctx, x, out, multiply);
  }
  const int64_t n = x.numel();
  T* out_data = dev_ctx.template Alloc<T>(out);
  if (n == 0) return;
  const auto scale = static_cast<Compute>(DropoutScale(probability, mode));
  const DropoutFunctor<T> functor{x.data<T>(), out_data, mask_data, static_cast<float>(probability), scale};
  primitive::ForEachUniform<float>(dev_ctx, DropoutState(dev_ctx, seed_tensor, seed, fix_seed, n), n, functor);
}

template <typename T, typename Context>
void DropoutGradKernel(const Context& dev_ctx,
                       const DenseTensor& mask,
                       const DenseTensor& out_grad,
                       const Scalar& p,
                       bool is_test,
                       const std::string& mode,
                       DenseTensor* x_grad) {
  using Compute = primitive::ComputeType<T>;
  const double probability = p.to<double>();
  if (is_test) {
    const MultiplyBy<T> multiply{static_cast<Compute>(InferenceScale(probability, mode))};
    return primitive::ElementwiseUnary<T>(dev_ctx, out_grad, x_grad, multiply);
  }
  const DropoutGradFunctor<T> functor{static_cast<Compute>(DropoutScale(probability, mode))};
  primitive::Elementwise<T, uint8_t, T>(dev_ctx, x_grad, functor, mask, out_grad);
}

}  // namespace phi
