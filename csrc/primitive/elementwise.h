// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/convert.h"
#include "primitive/math.h"
#include "primitive/strided_plan.h"

#ifdef __CUDACC__
#include "primitive/gpu/elementwise.cuh"
#else
#include "primitive/cpu/elementwise.h"
#endif

// Elementwise functions of tensors with any strides. The inputs broadcast to the shape of `out`, which has its meta
// from InferMeta and is allocated here; it may be one of the inputs.
//
// The functor gets half types as float, and returns what converts to OutT. It may offer SIMD on the CPU: with
//   static constexpr bool kSimd = true;
// its operator() must also take and return at::vec::Vectorized of the compute type (float or double), which a template
// on the value type with the functions of phi::math does:
//   template <typename V> HOSTDEVICE V operator()(V x) const { return x / (V(1) + math::Exp(-x)); }
namespace phi::primitive {

// out = functor(inputs...), for inputs of the types InTs.
template <typename OutT, typename... InTs, typename Context, typename Functor, typename... Tensors>
void Elementwise(const Context& dev_ctx, DenseTensor* out, const Functor& functor, const Tensors&... inputs) {
  static_assert(sizeof...(InTs) == sizeof...(Tensors), "one type for each input");
  dev_ctx.template Alloc<OutT>(out);
  if (out->numel() == 0) return;
  (static_cast<void>(inputs.template data<InTs>()), ...);
  detail::RunElementwise<Functor, OutT, InTs...>(dev_ctx, functor, out, inputs...);
}

template <typename InT, typename OutT = InT, typename Context, typename Functor>
void ElementwiseUnary(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out, const Functor& functor) {
  Elementwise<OutT, InT>(dev_ctx, out, functor, x);
}

template <typename InT, typename OutT = InT, typename Context, typename Functor>
void ElementwiseBinary(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out, const Functor& functor) {
  Elementwise<OutT, InT, InT>(dev_ctx, out, functor, x, y);
}

template <typename InT, typename OutT = InT, typename Context, typename Functor>
void ElementwiseTernary(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& y,
                        const DenseTensor& z,
                        DenseTensor* out,
                        const Functor& functor) {
  Elementwise<OutT, InT, InT, InT>(dev_ctx, out, functor, x, y, z);
}

struct IdentityFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x;
  }
};

// out = x, of the same dtype; x broadcasts.
template <typename Context>
void Copy(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  dev_ctx.Alloc(out, x.dtype());
  if (out->numel() == 0) return;
  const auto copy = [&](auto word) {
    using Word = decltype(word);
    detail::RunElementwise<IdentityFunctor, Word, Word>(dev_ctx, IdentityFunctor(), out, x);
  };
  switch (SizeOf(x.dtype())) {
    case 1:
      return copy(uint8_t());
    case 2:
      return copy(uint16_t());
    case 4:
      return copy(uint32_t());
    case 8:
      return copy(uint64_t());
    default:
      return copy(complex128());
  }
}

}  // namespace phi::primitive
