// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/reduce_ops.h"
#include "primitive/reduce_plan.h"

#ifdef PHI_DEVICE_CODE
#include "primitive/gpu/reduce.cuh"
#else
#include "primitive/cpu/reduce.h"
#endif

namespace phi::primitive {

// Reduces `axes` of the contiguous x; out (allocated here) has its shape from InferMeta, with or without the reduced
// dimensions, and is contiguous.
//
//   Reduce<T, OutT, SumOp>(dev_ctx, x, axes, out);
//   Reduce<T, OutT, SumOp>(dev_ctx, x, axes, out, SquareFunctor());
//
// T is the type of x, OutT that of out; Op is SumOp, MeanOp, ProdOp, MaxOp, MinOp, AnyOp, AllOp or a struct like these.
// `transform` is applied to each element (a half type's as float) before it is combined; as in primitive/elementwise.h,
// also to SIMD vectors. Results do not depend on the number of threads. A reduction over no elements gives
// Finish(Init(), 0).
template <typename T, typename OutT, template <typename> class Op, typename Context, typename Transform>
void Reduce(const Context& dev_ctx, const DenseTensor& x, AxisSet axes, DenseTensor* out, Transform transform) {
  const ReducePlan plan = MakeReducePlan(x.dims(), axes);
  OutT* result = dev_ctx.template Alloc<OutT>(out);
  if (plan.outputs() > 0) detail::ReduceByPlan<Op<OutT>>(dev_ctx, plan, x.data<T>(), result, transform);
}

template <typename T, typename OutT, template <typename> class Op, typename Context>
void Reduce(const Context& dev_ctx, const DenseTensor& x, AxisSet axes, DenseTensor* out) {
  Reduce<T, OutT, Op>(dev_ctx, x, axes, out, ToAcc<typename Op<OutT>::Acc>());
}

}  // namespace phi::primitive
