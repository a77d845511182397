// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"
#include "primitive/for_each.h"

namespace phi {

template <typename C>
struct ZeroStep {
  bool is_zero;
  template <typename V>
  HOSTDEVICE void operator()(V& x) const {
    if (is_zero) x = V(0);
  }
};

template <typename C>
struct ZeroFunctor {
  const bool* found_infinite;
  HOSTDEVICE ZeroStep<C> Prepare() const { return {*found_infinite}; }
};

// The scale for the next step: it grows after `incr_every` steps without infinities, and falls, to 1 at least, after
// `decr_every` with some.
template <typename C>
struct LossScaling {
  const bool* found_infinite;
  const C* scale;
  const int* good_steps;
  const int* bad_steps;
  int incr_every;
  int decr_every;
  C incr_ratio;
  C decr_ratio;
  bool stays;
  C* scale_out;
  int* good_steps_out;
  int* bad_steps_out;

  HOSTDEVICE void operator()(int64_t) const {
    C next = *scale;
    int good = *good_steps, bad = *bad_steps;
    if (!stays && *found_infinite) {
      good = 0;
      if (++bad == decr_every) {
        next = next * decr_ratio < C(1) ? C(1) : next * decr_ratio;
        bad = 0;
      }
    } else if (!stays) {
      bad = 0;
      if (++good == incr_every) {
        const C grown = next * incr_ratio;
        if (grown - grown == C(0)) next = grown;  // it is finite
        good = 0;
      }
    }
    *scale_out = next;
    *good_steps_out = good;
    *bad_steps_out = bad;
  }
};

// Gradients with infinities become 0.
template <typename T, typename Context>
void UpdateLossScalingKernel(const Context& dev_ctx,
                             const std::vector<const DenseTensor*>& x,
                             const DenseTensor& found_infinite,
                             const DenseTensor& prev_loss_scaling,
                             const DenseTensor& in_good_steps,
                             const DenseTensor& in_bad_steps,
                             int incr_every_n_steps,
                             int decr_every_n_nan_or_inf,
                             float incr_ratio,
                             float decr_ratio,
                             const Scalar& stop_update,
                             std::vector<DenseTensor*> out,
                             DenseTensor* loss_scaling,
                             DenseTensor* out_good_steps,
                             DenseTensor* out_bad_steps) {
  using C = primitive::ComputeType<T>;
  const bool* found = found_infinite.data<bool>();
  for (size_t i = 0; i < x.size(); ++i) {
    const auto stream = funcs::MakeStream<T>(dev_ctx, *x[i], out[i]);
    funcs::UpdateElements<C>(dev_ctx, x[i]->numel(), ZeroFunctor<C>{found}, stream);
  }
  const auto update = [&](auto type) {
    using S = decltype(type);
    primitive::ForEach(dev_ctx,
                       1,
                       LossScaling<S>{found,
                                      prev_loss_scaling.data<S>(),
                                      in_good_steps.data<int>(),
                                      in_bad_steps.data<int>(),
                                      incr_every_n_steps,
                                      decr_every_n_nan_or_inf,
                                      S(incr_ratio),
                                      S(decr_ratio),
                                      stop_update.to<bool>(),
                                      dev_ctx.template Alloc<S>(loss_scaling),
                                      dev_ctx.template Alloc<int>(out_good_steps),
                                      dev_ctx.template Alloc<int>(out_bad_steps)});
  };
  prev_loss_scaling.dtype() == DataType::FLOAT64 ? update(double()) : update(float());
}

}  // namespace phi
