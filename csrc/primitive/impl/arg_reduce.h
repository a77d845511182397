// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"
#include "primitive/arg_reduce.h"
#include "primitive/impl/types.h"

#ifdef PHI_DEVICE_CODE
#include "primitive/gpu/arg_reduce.cuh"
#else
#include "primitive/cpu/arg_reduce.h"
#endif

namespace phi::primitive {

template <typename T, typename OutT, template <typename> class Op, typename Context>
void ArgReduceTensor(const DeviceContext& dev_ctx, const DenseTensor& x, const AxisShape& shape, DenseTensor* out) {
  detail::ArgReduceAxis<Op<T>>(static_cast<const Context&>(dev_ctx), shape, x.data<T>(), out->data<OutT>());
}

template <typename Context>
bool RegisterArgReduction(Backend backend) {
  const auto add = [=](auto type, auto index) {
    using T = typename decltype(type)::Type;
    using OutT = typename decltype(index)::Type;
    constexpr DataType kIn = CppTypeToDataType<T>::Type();
    constexpr DataType kOut = CppTypeToDataType<OutT>::Type();
    RegisterPrimitive<ArgReduction>(backend, &ArgReduceTensor<T, OutT, MaxOp, Context>, ArgReduceOp::kMax, kIn, kOut);
    RegisterPrimitive<ArgReduction>(backend, &ArgReduceTensor<T, OutT, MinOp, Context>, ArgReduceOp::kMin, kIn, kOut);
  };
  const auto to_index = [=](auto type) {
    add(type, TypeTag<int32_t>());
    add(type, TypeTag<int64_t>());
  };
  ForEachType(to_index, Types<uint8_t, int16_t, int32_t, int64_t>(), FloatingTypes());
  return true;
}

}  // namespace phi::primitive
