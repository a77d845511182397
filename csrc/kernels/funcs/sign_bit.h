// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

// |x| and -x of half types change one bit, for which nothing is converted to float.
namespace phi::funcs {

struct ClearSignFunctor {
  HOSTDEVICE uint16_t operator()(uint16_t word) const { return word & 0x7fff; }
};
struct FlipSignFunctor {
  HOSTDEVICE uint16_t operator()(uint16_t word) const { return word ^ 0x8000; }
};

// out = WordFunctor()(x) for the words of half types, other(x) for numbers of other types.
template <typename T, typename WordFunctor, typename Context, typename Functor>
void MapSign(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out, const Functor& other) {
  if constexpr (primitive::is_small_float_v<T> && sizeof(T) == 2) {
    dev_ctx.template Alloc<T>(out);
    if (out->numel() == 0) return;
    primitive::detail::RunElementwise<WordFunctor, uint16_t, uint16_t>(dev_ctx, WordFunctor(), out, x);
  } else {
    primitive::Map<T>(dev_ctx, out, other, x);
  }
}

struct NegativeFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return static_cast<V>(-x);
  }
};

// out = -x
template <typename T, typename Context>
void Negate(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  MapSign<T, FlipSignFunctor>(dev_ctx, x, out, NegativeFunctor());
}

}  // namespace phi::funcs
