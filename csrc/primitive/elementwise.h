// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "primitive/convert.h"
#include "primitive/copy_nd.h"
#include "primitive/math.h"
#include "primitive/prepare_elementwise.h"
#include "primitive/strided_plan.h"

#ifdef PHI_DEVICE_CODE
#include "primitive/gpu/elementwise.cuh"
#else
#include "primitive/cpu/elementwise.h"
#endif

// Elementwise functions of tensors with any strides. The inputs broadcast to the shape of `out`, which has its meta
// from InferMeta and is allocated here; it may be one of the inputs.
//
// The functor gets half types as float, and returns what converts to OutT. Its signature says whether it offers SIMD on
// the CPU: a template on the value type also gets at::vec::Vectorized of float or double, for which phi::math has
// functions,
//   template <typename V> HOSTDEVICE V operator()(V x) const { return x / (V(1) + math::Exp(-x)); }
// and one with the parameter `T x` gets numbers alone. A functor may have another one for the words of half types,
// which then are not converted: `using OfWords = ...`, from uint16_t to uint16_t.
namespace phi::primitive {

// out = functor(inputs...), for inputs of the types InTs.
template <typename OutT, typename... InTs, typename Context, typename Functor, typename... Tensors>
void Elementwise(const Context& dev_ctx, DenseTensor* out, const Functor& functor, const Tensors&... inputs) {
  static_assert(sizeof...(InTs) == sizeof...(Tensors), "one type for each input");
  static_assert(sizeof...(Tensors) < StridedPlan::kMaxOperands, "a plan has no room for more");
  static constexpr DataType kTypes[] = {CppTypeToDataType<OutT>::Type(), CppTypeToDataType<InTs>::Type()...};
  const DenseTensor* const tensors[] = {&inputs...};
  if (!detail::PrepareElementwise(dev_ctx, out, kTypes, tensors)) return;
  detail::RunElementwise<Functor, OutT, InTs...>(dev_ctx, functor, out, inputs...);
}

// out = functor(inputs...), for inputs of type T. The output is of type T too, unless the functor returns another type
// than it gets: that of a comparison is bool.
template <typename T, typename Context, typename Functor, typename... Tensors>
void Map(const Context& dev_ctx, DenseTensor* out, const Functor& functor, const Tensors&... inputs) {
  using Compute = ComputeType<T>;
  using Result = std::invoke_result_t<Functor, std::conditional_t<true, Compute, Tensors>...>;
  using Out = std::conditional_t<std::is_same_v<Result, Compute>, T, Result>;
  if constexpr (is_small_float_v<T> && sizeof(T) == 2 && requires { typename Functor::OfWords; }) {
    dev_ctx.template Alloc<T>(out);
    if (out->numel() == 0) return;
    using OfWords = typename Functor::OfWords;
    detail::RunElementwise<OfWords, uint16_t, std::conditional_t<true, uint16_t, Tensors>...>(
        dev_ctx, OfWords(), out, inputs...);
  } else {
    Elementwise<Out, std::conditional_t<true, T, Tensors>...>(dev_ctx, out, functor, inputs...);
  }
}

namespace detail {

template <typename F, typename C, typename... Attrs>
F FunctorOf(const Attrs&... attrs) {
  const auto member = []<typename A>(const A& attr) {
    if constexpr (std::is_same_v<A, Scalar>) {
      return attr.template to<C>();
    } else if constexpr (std::is_same_v<A, bool>) {
      return attr;
    } else {
      return static_cast<C>(attr);
    }
  };
  if constexpr (std::is_aggregate_v<F>) {
    return F{member(attrs)...};
  } else {
    return F(attrs...);
  }
}

}  // namespace detail

// The functor of an op that computes in C: F, or F<C> of a template, made of the op's attributes. They are its members,
// in the type C but for a bool; if it has a constructor, that gets them as they are.
template <typename C, typename F, typename... Attrs>
F MakeFunctor(const Attrs&... attrs) {
  return detail::FunctorOf<F, C>(attrs...);
}
template <typename C, template <typename> class F, typename... Attrs>
F<C> MakeFunctor(const Attrs&... attrs) {
  return detail::FunctorOf<F<C>, C>(attrs...);
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
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x;
  }
};

// Calls use(word) with a number of `bytes` bytes, as which elements that are only moved are read and written.
template <typename Use>
void WithWord(size_t bytes, const Use& use) {
  switch (bytes) {
    case 1:
      return use(uint8_t());
    case 2:
      return use(uint16_t());
    case 4:
      return use(uint32_t());
    case 8:
      return use(uint64_t());
    default:
      return use(complex128());
  }
}

struct SelectFunctor {
  template <typename Word>
  HOSTDEVICE Word operator()(uint8_t condition, Word x, Word y) const {
    return condition != 0 ? x : y;
  }
};

// out = x where `condition`, else y: of one dtype, but for the condition, which is bool. All broadcast.
template <typename Context>
void Select(const Context& dev_ctx,
            const DenseTensor& condition,
            const DenseTensor& x,
            const DenseTensor& y,
            DenseTensor* out) {
  dev_ctx.Alloc(out, x.dtype());
  if (out->numel() == 0) return;
  WithWord(SizeOf(x.dtype()), [&](auto word) {
    using Word = decltype(word);
    detail::RunElementwise<SelectFunctor, Word, uint8_t, Word, Word>(dev_ctx, SelectFunctor(), out, condition, x, y);
  });
}

// The element where the condition is `wanted`, else zero.
struct KeepFunctor {
  bool wanted;
  template <typename Word>
  HOSTDEVICE Word operator()(uint8_t condition, Word x) const {
    return (condition != 0) == wanted ? x : Word(0);
  }
};

// out = x where `condition` is `wanted`, else 0. Both broadcast.
template <typename Context>
void Keep(const Context& dev_ctx, const DenseTensor& condition, bool wanted, const DenseTensor& x, DenseTensor* out) {
  dev_ctx.Alloc(out, x.dtype());
  if (out->numel() == 0) return;
  WithWord(SizeOf(x.dtype()), [&](auto word) {
    using Word = decltype(word);
    detail::RunElementwise<KeepFunctor, Word, uint8_t, Word>(dev_ctx, KeepFunctor{wanted}, out, condition, x);
  });
}

}  // namespace phi::primitive
