// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/impl/types.h"
#include "primitive/reduce.h"
#include "primitive/reduction.h"

namespace phi::primitive {

template <typename T, typename OutT, template <typename> class Op, typename Context>
void ReduceTensor(const DeviceContext& dev_ctx, const DenseTensor& x, AxisSet axes, DenseTensor* out) {
  Reduce<T, OutT, Op>(static_cast<const Context&>(dev_ctx), x, axes, out);
}

struct SquareFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * x;
  }
};

template <typename T, typename Context>
void NormOf(const DeviceContext& dev_ctx, const DenseTensor& x, AxisSet axes, DenseTensor* out) {
  Reduce<T, T, NormOp>(static_cast<const Context&>(dev_ctx), x, axes, out, SquareFunctor());
}

template <typename T, typename OutT, template <typename> class Op, typename Context>
void AddReduction(Backend backend, ReduceOp op) {
  if constexpr (kIsBuilt<T> && kIsBuilt<OutT>) {
    constexpr DataType kIn = CppTypeToDataType<T>::Type();
    constexpr DataType kOut = CppTypeToDataType<OutT>::Type();
    RegisterPrimitive<Reduction>(backend, &ReduceTensor<T, OutT, Op, Context>, op, kIn, kOut);
  }
}

// The functions of one operation.
template <ReduceOp op, typename Context>
bool RegisterReduction(Backend backend) {
  const auto sum = [=](auto type) {
    using T = typename decltype(type)::Type;
    AddReduction<T, SumType<T>, SumOp, Context>(backend, op);
  };
  const auto narrow = [=](auto type) {
    using T = typename decltype(type)::Type;
    AddReduction<T, T, SumOp, Context>(backend, op);
  };
  const auto product = [=](auto type) {
    using T = typename decltype(type)::Type;
    AddReduction<T, std::conditional_t<std::is_integral_v<T>, int64_t, T>, ProdOp, Context>(backend, op);
  };
  const auto norm = [=](auto type) {
    using T = typename decltype(type)::Type;
    constexpr DataType kType = CppTypeToDataType<T>::Type();
    RegisterPrimitive<Reduction>(backend, &NormOf<T, Context>, op, kType, kType);
  };
  const auto mean = [=](auto type) {
    using T = typename decltype(type)::Type;
    AddReduction<T, T, MeanOp, Context>(backend, op);
  };
  const auto extreme = [=](auto type) {
    using T = typename decltype(type)::Type;
    if constexpr (op == ReduceOp::kMax) AddReduction<T, T, MaxOp, Context>(backend, op);
    if constexpr (op == ReduceOp::kMin) AddReduction<T, T, MinOp, Context>(backend, op);
  };
  if constexpr (op == ReduceOp::kSum) {
    ForEachType(sum, Types<bool>(), IntegerTypes(), FloatingTypes(), ComplexTypes());
    ForEachType(narrow, Types<int32_t, dtype::float16, dtype::bfloat16>());
    AddReduction<float, dtype::float16, SumOp, Context>(backend, op);
    AddReduction<float, dtype::bfloat16, SumOp, Context>(backend, op);
    // how many are true
    AddReduction<bool, float, SumOp, Context>(backend, op);
    AddReduction<bool, double, SumOp, Context>(backend, op);
  } else if constexpr (op == ReduceOp::kMean) {
    ForEachType(mean, Types<int32_t, int64_t>(), FloatingTypes(), ComplexTypes());
  } else if constexpr (op == ReduceOp::kProd) {
    ForEachType(product, Types<int32_t, int64_t>(), FloatingTypes(), ComplexTypes());
  } else if constexpr (op == ReduceOp::kNorm) {
    ForEachType(norm, FloatingTypes());
  } else if constexpr (op == ReduceOp::kAny) {
    AddReduction<bool, bool, AnyOp, Context>(backend, op);
  } else if constexpr (op == ReduceOp::kAll) {
    AddReduction<bool, bool, AllOp, Context>(backend, op);
  } else {
    ForEachType(extreme, Types<int32_t, int64_t>(), FloatingTypes());
  }
  return true;
}

}  // namespace phi::primitive
