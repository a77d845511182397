// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kernels/funcs/max_pool_grad_cpu.h"

namespace phi::funcs {

// The gradient of the commonest windows: two columns wide, one beside the other, and all of them within the volume.
// Each element is in at most one window, so what is left of a window's gradient stays in a register.
template <typename T>
class MaxPoolGradOfPairs {
 public:
  explicit MaxPoolGradOfPairs(const PoolShape& shape)
      : depth_(shape.depth), height_(shape.height), width_(shape.width) {}

  static bool Fits(const PoolShape& shape) {
    return shape.width.kernel == 2 && Tiles(shape.depth) && Tiles(shape.height) && Tiles(shape.width);
  }

  // One channel.
  void Run(const T* x, const T* max, const T* grad, T* x_grad) const {
    if (!Covers(depth_) || !Covers(height_) || !Covers(width_)) {
      std::fill_n(x_grad, depth_.in * height_.in * width_.in, static_cast<T>(0));
    }
    for (int64_t o = 0; o < depth_.out; ++o) {
      for (int64_t i = 0; i < height_.out; ++i, max += width_.out, grad += width_.out) {
        const int64_t first = (o * depth_.stride * height_.in + i * height_.stride) * width_.in;
        GiveRow(x + first, max, grad, x_grad + first);
      }
    }
  }

 private:
  using C = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  using Pair = primitive::detail::SimdPair<C>;

  static bool Tiles(const PoolSpan& span) {
    return !span.adaptive && span.before == 0 && span.kernel == span.stride && span.out * span.stride <= span.in;
  }
  static bool Covers(const PoolSpan& span) { return span.out * span.stride == span.in; }

  void GiveRow(const T* x, const T* max, const T* grad, T* x_grad) const {
    int64_t j = 0;
    for (; j + V::size() <= width_.out; j += V::size()) Give(x + 2 * j, max + j, grad + j, V::size(), x_grad + 2 * j);
    if (const int64_t rest = width_.out - j; rest > 0)
      Give(x + 2 * j, max + j, grad + j, rest, x_grad + 2 * j, 2 * rest);
  }

  // Neighbouring windows, of which a vector holds all; `elements` is given if they do not fill it.
  template <typename... N>
  void Give(const T* x, const T* max, const T* grad, int64_t windows, T* x_grad, N... elements) const {
    const V greatest = Pair::Load(max, windows).lo;
    V rest = Pair::Load(grad, windows).lo;
    const auto give = [&](const V& value) {
      const V is_maximum = IsMaximum(value, greatest);
      const V given = V::blendv(V(0), rest, is_maximum);
      rest = V::blendv(rest, V(0), is_maximum);
      return given;
    };
    for (int64_t z = 0; z < depth_.kernel; ++z) {
      for (int64_t i = 0; i < height_.kernel; ++i) {
        const int64_t at = (z * height_.in + i) * width_.in;
        const Pair both = Pair::Load(x + at, elements...);
        const auto [even, odd] = at::vec::deinterleave2(both.lo, both.hi);
        const V even_grad = give(even);
        const V odd_grad = give(odd);
        const auto [lo, hi] = at::vec::interleave2(even_grad, odd_grad);
        Pair{lo, hi}.Store(x_grad + at, elements...);
      }
    }
  }

  const PoolSpan depth_;
  const PoolSpan height_;
  const PoolSpan width_;
};

}  // namespace phi::funcs
