// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "primitive/elementwise.h"

// Paddle's elementwise calls on the primitives: a functor over element types, inputs that broadcast to the output.
namespace phi::funcs {

namespace detail {

// The parameter types of a functor that is no template.
template <typename Signature>
struct FunctorParams;
template <typename C, typename R, typename... P>
struct FunctorParams<R (C::*)(P...) const> {
  template <typename OutT, typename Context, typename Functor, size_t... I>
  static void Run(const Context& dev_ctx,
                  const std::vector<const DenseTensor*>& ins,
                  DenseTensor* out,
                  const Functor& functor,
                  std::index_sequence<I...>) {
    PADDLE_ENFORCE(ins.size() == sizeof...(P),
                   errors::InvalidArgument(
                       "an elementwise functor takes %d tensors, but the kernel passes %d", sizeof...(P), ins.size()));
    primitive::Elementwise<OutT, std::remove_cvref_t<P>...>(dev_ctx, out, functor, *ins[I]...);
  }
  using Indices = std::index_sequence_for<P...>;
};
template <typename C, typename R, typename... P>
struct FunctorParams<R (C::*)(P...)> : FunctorParams<R (C::*)(P...) const> {};

}  // namespace detail

// outs[0] = functor(ins...)
template <typename OutT, typename Context, typename Functor>
void ElementwiseKernel(const Context& dev_ctx,
                       const std::vector<const DenseTensor*>& ins,
                       std::vector<DenseTensor*>* outs,
                       Functor functor) {
  PADDLE_ENFORCE(outs->size() == 1,
                 errors::Unimplemented("an elementwise kernel with %d outputs; use primitive::ForEach", outs->size()));
  using Params = detail::FunctorParams<decltype(&Functor::operator())>;
  Params::template Run<OutT>(dev_ctx, ins, (*outs)[0], functor, typename Params::Indices());
}

// The same; the dimensions of the inputs are aligned at the last one (axis = -1).
template <typename OutT, typename Context, typename Functor>
void BroadcastKernel(const Context& dev_ctx,
                     const std::vector<const DenseTensor*>& ins,
                     std::vector<DenseTensor*>* outs,
                     Functor functor,
                     int axis = -1) {
  PADDLE_ENFORCE(axis == -1, errors::Unimplemented("broadcasting with axis = %d", axis));
  ElementwiseKernel<OutT>(dev_ctx, ins, outs, functor);
}

// out = functor(x, y). The first dimension of y is dimension `axis` of x; with -1 the last ones are aligned.
template <typename Functor, typename T, typename OutT = T, typename Context>
void ElementwiseCompute(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& y,
                        Functor functor,
                        DenseTensor* out,
                        int axis = -1) {
  const int added = x.dims().size() - y.dims().size() - axis;
  if (axis < 0 || added <= 0) return primitive::ElementwiseBinary<T, OutT>(dev_ctx, x, y, out, functor);
  DDim dims = y.dims();
  for (int i = 0; i < added; ++i) dims.push_back(1);
  DenseTensor aligned = y;
  primitive::ElementwiseBinary<T, OutT>(dev_ctx, x, aligned.Resize(dims), out, functor);
}

}  // namespace phi::funcs
